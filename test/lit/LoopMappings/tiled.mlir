// RUN: %kern-opt %s --loop-map="flat=true tile=64" | FileCheck %s

// A product of matrices whose extents are numbers: no dimension has a name.
// CHECK-LABEL: loop.kernel @product
// CHECK-SAME: flat_extents = {{\[\[}}"4"], ["4"]]
// CHECK-SAME: tile
// CHECK: loop.store
loop.kernel @product kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %c: !loop.array<f32, 2>)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 2>,
                core_extents = [[["4"], ["4"]], [["4"], ["4"]], [["4"], ["4"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %c4 step %c1 : f32 {
      %x = loop.load %a[%i, %p] : !loop.array<f32, 2>
      %y = loop.load %b[%p, %j] : !loop.array<f32, 2>
      %z = arith.mulf %x, %y : f32
      loop.yield %z : f32
    }
    loop.store %s, %c[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}

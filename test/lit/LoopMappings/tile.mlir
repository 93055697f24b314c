// RUN: %kern-opt %s --loop-map="flat=true tile=4" --split-input-file | FileCheck %s
// RUN: %kern-opt %s --loop-map="flat=true tile=4" --loop-distribute --loop-to-gpu="sm=80" --split-input-file | FileCheck %s --check-prefix=GPU
// RUN: %kern-opt %s --loop-map="flat=true tile=4" --loop-distribute --loop-to-gpu="sm=75" --split-input-file | FileCheck %s --check-prefix=OLD

// RUN: %kern-opt %s --loop-map="flat=true tile=64" --split-input-file | FileCheck %s --check-prefix=LARGE

// In larger tiles threads store runs of four results, where they can. Elements
// of both operands are fetched 16 bytes at once, one by one for every thread,
// or as far as there are some.
// LARGE-LABEL: loop.kernel @product
// LARGE: loop.has_chunks 4 of %arg0[{{.*}}] along 0
// LARGE: loop.has_chunks 4 of %arg1[{{.*}}] along 1
// LARGE: loop.has_chunks 4 of %arg2[{{.*}}] along 1
// LARGE: loop.fetch %arg0 {{.*}} {loop.elements = 4 : i64}
// LARGE: loop.fetch %arg0
// LARGE: loop.store_chunk
// LARGE: loop.store %{{.*}}, %arg2

// Four threads compute 4 x 4 results, each of them 2 x 2. Both operands come
// through shared memory, and so do the results.
// CHECK-LABEL: loop.kernel @product
// CHECK-SAME: loop.tile = array<i64: 4, 4, 4, {{[0-9]+}}, 1>
// CHECK-NOT: loop.reduce
// CHECK: %[[A:.*]] = loop.shared at 0 : !loop.array<f32, 1>
// CHECK: loop.stride 0 of %arg0
// CHECK: %[[B:.*]] = loop.shared at {{[1-9][0-9]*}} : !loop.array<f32, 1>
// CHECK: loop.fetch %arg0 at %{{.*}} to %[[A]]
// CHECK: loop.fetch %arg1 at %{{.*}} to %[[B]]
// CHECK: loop.await
// CHECK-NEXT: loop.barrier
// CHECK: loop.load_chunk %[[A]]
// CHECK: loop.store %{{.*}}, %arg2
// CHECK: loop.return
// GPU-LABEL: llvm.func {{.*}}@product__body
// GPU: cp.async.cg.shared.global [$0], [$1], 16
// GPU: cp.async.ca.shared.global [$0], [$1], 4
// GPU: cp.async.wait_all
// GPU: llvm.func ptx_kernelcc @product__flat_tiled4
// GPU-SAME: ["nvvm.maxntid", "256"]
// OLD-NOT: cp.async
// OLD: llvm.func ptx_kernelcc @product__flat_tiled4
loop.kernel @product kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %c: !loop.array<f32, 2>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f32 {
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

// -----

// Each element of the matrix serves one result alone: no tiles.
// CHECK-LABEL: loop.kernel @matvec
// CHECK-NOT: loop.tile
// CHECK: loop.reduce sum
loop.kernel @matvec kind(gufunc) (%a: !loop.array<f32, 2>, %x: !loop.array<f32, 1>,
    %y: !loop.array<f32, 1>, %m: i64, %k: i64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["m", "k"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%m) step (%c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f32 {
      %e = loop.load %a[%i, %p] : !loop.array<f32, 2>
      %v = loop.load %x[%p] : !loop.array<f32, 1>
      %z = arith.mulf %e, %v : f32
      loop.yield %z : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// -----

// Data decides which elements are read: no tiles.
// CHECK-LABEL: loop.kernel @gathered
// CHECK-NOT: loop.tile
// CHECK: loop.reduce sum
loop.kernel @gathered kind(gufunc) (%a: !loop.array<f32, 1>, %at: !loop.array<i64, 1>,
    %y: !loop.array<f32, 1>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 1>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f32 {
      %w = loop.load %at[%p] : !loop.array<i64, 1>
      %e = loop.load %a[%w] : !loop.array<f32, 1>
      loop.yield %e : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// -----

// A product of matrices whose extents are numbers: no dimension has a name.
// CHECK-LABEL: loop.kernel @constant
// CHECK-SAME: flat_extents = {{\[\[}}"4"], ["4"]]
// CHECK-SAME: loop.tile = array<i64: 4, 4, 4,
// CHECK: loop.store
loop.kernel @constant kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
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

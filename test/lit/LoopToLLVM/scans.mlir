// RUN: %kern-opt %s --loop-distribute | FileCheck %s
// RUN: %kern-opt %s --loop-distribute=sequential=true | FileCheck %s --check-prefix=SEQUENTIAL

// A lane keeps four chunks of a tile. It reads them as such, or element by
// element. The lanes of a warp combine them, then the warps.
// CHECK-LABEL: loop.kernel @sums
// CHECK-SAME: shared_extents = {{\[\[}}"n"]]
// CHECK: loop.has_chunks 4 of %arg0[%{{.*}}] along 0
// CHECK: loop.has_chunks 4 of %arg1[%{{.*}}] along 0
// CHECK-COUNT-4: loop.load_chunk %arg0
// CHECK-NOT: loop.load_chunk
// CHECK-COUNT-16: loop.load %arg0
// CHECK-COUNT-4: loop.earlier_lane 1 before
// CHECK-COUNT-4: loop.earlier_lane 2 before
// CHECK: loop.of_warps
// CHECK-COUNT-4: loop.store_chunk
// CHECK-COUNT-16: loop.store %{{.*}}, %arg1
// One lane goes on from its last sum; the first element is taken as it is.
// SEQUENTIAL-LABEL: loop.kernel @sums
// SEQUENTIAL-NOT: loop.lane
// SEQUENTIAL: cf.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]], ^
// SEQUENTIAL: ^[[BODY]]:
// SEQUENTIAL: loop.load %arg0
// SEQUENTIAL: %[[LATER:.*]] = arith.cmpi sgt
// SEQUENTIAL: arith.addf
// SEQUENTIAL-NOT: arith.addf
// SEQUENTIAL: loop.return
loop.kernel @sums kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64) -> ()
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %no = arith.constant false
  %t = loop.scan %c0 to %n step %c1 from (%zero) if %no : (f32) {
  ^bb0(%i: i64):
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.give %x : f32
  } combine {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    loop.give %s : f32
  } write {
  ^bb0(%i: i64, %s: f32):
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.give
  } -> (f32)
  loop.return
}

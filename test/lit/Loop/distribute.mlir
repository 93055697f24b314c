// RUN: %kern-opt %s --loop-distribute | FileCheck %s
// RUN: %kern-opt %s --loop-distribute=sequential=true | FileCheck %s --check-prefix=SEQUENTIAL

// A top-level reduction: each lane takes every group-th iteration, four at a
// time while there are enough, and the lanes' sums are combined.
// CHECK-LABEL: loop.kernel @sum
// CHECK-SAME: shared_extents = {{\[\[}}"n"]]
// SEQUENTIAL-LABEL: loop.kernel @sum
// SEQUENTIAL-NOT: loop.lane
// SEQUENTIAL-NOT: loop.combine
// SEQUENTIAL-NOT: shared_extents
loop.kernel @sum kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: %[[LANE:.*]] = loop.lane
  // CHECK: %[[GROUP:.*]] = loop.group_size
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: cf.br ^[[FOUR:bb[0-9]+]](%[[LANE]], %[[ZERO]] : i64, f32)
  // CHECK: ^[[FOUR]](%[[K:.*]]: i64, %[[SUM:.*]]: f32):
  // CHECK: cf.cond_br %{{.*}}, ^[[BODY:bb[0-9]+]], ^[[ONE:bb[0-9]+]](%[[K]], %[[SUM]] : i64, f32)
  // CHECK: ^[[BODY]]:
  // CHECK-COUNT-4: loop.load
  // CHECK-NOT: loop.load
  // CHECK: arith.addf %[[SUM]],
  // CHECK: cf.br ^[[FOUR]]
  // CHECK: ^[[ONE]](%[[K1:.*]]: i64, %[[SUM1:.*]]: f32):
  // CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[DONE:bb[0-9]+]]
  // CHECK: loop.load
  // CHECK: %[[NEXT:.*]] = arith.addf %[[SUM1]],
  // CHECK: %[[K2:.*]] = arith.addi %[[K1]], %[[GROUP]]
  // CHECK: cf.br ^[[ONE]](%[[K2]], %[[NEXT]] : i64, f32)
  // CHECK: ^[[DONE]]:
  // CHECK: %[[ALL:.*]] = loop.combine sum %[[SUM1]] : f32 -> f32
  // CHECK: loop.return %[[ALL]]
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : f32
}

// A product of ranges: one loop of lanes without division inside; the nested
// reduction stays in its lane.
// CHECK-LABEL: loop.kernel @matmul
// CHECK-SAME: shared_extents = {{\[\[}}"m", "n", "*"]]
// CHECK: %[[LANE:.*]] = loop.lane
// CHECK: %[[GROUP:.*]] = loop.group_size
// CHECK: arith.remui %[[LANE]]
// CHECK: ^bb1(
// CHECK-NOT: arith.remui
// CHECK-NOT: arith.divui
// CHECK-NOT: loop.combine
// CHECK-NOT: loop.barrier
// CHECK: loop.return
// SEQUENTIAL-LABEL: loop.kernel @matmul
// SEQUENTIAL-NOT: arith.remui
// SEQUENTIAL: loop.return
loop.kernel @matmul kind(gufunc)
    (%a: !loop.array<f64, 2>, %b: !loop.array<f64, 2>, %c: !loop.array<f64, 2>,
     %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f64 {
      %x = loop.load %a[%i, %p] : !loop.array<f64, 2>
      %y = loop.load %b[%p, %j] : !loop.array<f64, 2>
      %z = arith.mulf %x, %y : f64
      loop.yield %z : f64
    }
    loop.store %s, %c[%i, %j] : !loop.array<f64, 2>
    loop.yield
  }
  loop.return
}

// What one loop writes and the next reads stands behind a barrier.
// CHECK-LABEL: loop.kernel @twice
// CHECK: loop.store
// CHECK: loop.barrier
// CHECK: loop.load
// CHECK: loop.store
// CHECK: loop.barrier
// CHECK: loop.return
// SEQUENTIAL-LABEL: loop.kernel @twice
// SEQUENTIAL-NOT: loop.barrier
loop.kernel @twice kind(gufunc) (%y: !loop.array<i32, 1>, %n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %one, %y[%i] : !loop.array<i32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %y[%i] : !loop.array<i32, 1>
    %z = arith.addi %x, %x : i32
    loop.store %z, %y[%i] : !loop.array<i32, 1>
    loop.yield
  }
  loop.return
}

// Beside a shared loop, lane 0 alone does a store that stands outside loops.
// CHECK-LABEL: loop.kernel @head
// CHECK: loop.return
// CHECK-LABEL: loop.kernel @loose
// CHECK: %[[SUM:.*]] = loop.combine sum
// CHECK: %[[LANE:.*]] = loop.lane
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]]
// CHECK: cf.cond_br %[[FIRST]], ^[[STORE:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
// CHECK: ^[[STORE]]:
// CHECK-NEXT: loop.store %[[SUM]]
// CHECK-NEXT: cf.br ^[[AFTER]]
loop.kernel @head kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  // Nothing is shared here: the group has one lane, and nobody asks for it.
  %c0 = arith.constant 0 : i64
  %x = loop.load %v[%c0] : !loop.array<f32, 1>
  loop.store %x, %y[%c0] : !loop.array<f32, 1>
  loop.return
}
loop.kernel @loose kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.store %s, %y[%c0] : !loop.array<f32, 1>
  loop.return
}

// A ufunc has one lane for each element.
// CHECK-LABEL: loop.kernel @ten
// CHECK-NOT: shared_extents
// CHECK-NOT: loop.lane
// CHECK-NOT: loop.combine
// CHECK: loop.return
loop.kernel @ten kind(ufunc) (%a: i32) -> (i32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c10 = arith.constant 10 : i64
  %s = loop.reduce sum (%i) = %c0 to %c10 step %c1 : i32 {
    loop.yield %a : i32
  }
  loop.return %s : i32
}

// RUN: %kern-opt %s --loop-distribute | FileCheck %s
// RUN: %kern-opt %s --loop-distribute=sequential=true | FileCheck %s --check-prefix=SEQUENTIAL

// A top-level reduction: each lane takes every group-th chunk of four
// iterations, and then every group-th iteration of what is left. Where the
// elements of a chunk can be read as one they are, two chunks at a time while
// there are enough. The lanes' sums are combined.
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
  // CHECK: %[[LEFT:.*]] = arith.andi %[[TRIPS:.*]], %c3_i64 :
  // CHECK: %[[WHOLE:.*]] = arith.subi %[[TRIPS]], %[[LEFT]] :
  // CHECK: %[[WIDE:.*]] = loop.has_chunks 4 of %arg0[%c0_i64] along 0 : !loop.array<f32, 1>
  // CHECK: %[[STEP:.*]] = arith.muli %[[GROUP]], %c4_i64
  // CHECK: %[[MINE:.*]] = arith.muli %[[LANE]], %c4_i64
  // CHECK: %[[TAIL:.*]] = arith.addi %[[WHOLE]], %[[LANE]]
  // CHECK: cf.cond_br %[[WIDE]], ^[[TWO:bb[0-9]+]](%[[MINE]], %[[ZERO]] : i64, f32), ^[[EACH:bb[0-9]+]](%[[MINE]], %[[ZERO]] : i64, f32)
  // CHECK: ^[[TWO]](%[[C:.*]]: i64, %{{.*}}: f32):
  // CHECK: %[[D:.*]] = arith.addi %[[C]], %[[STEP]]
  // CHECK: arith.cmpi slt, %[[D]], %[[WHOLE]]
  // CHECK: loop.load_chunk %arg0[%[[C]]] along 0 : !loop.array<f32, 1> -> f32, f32, f32, f32
  // CHECK: loop.load_chunk %arg0[%[[D]]]
  // CHECK-COUNT-8: arith.addf
  // CHECK: cf.br ^[[TWO]]
  // CHECK: ^{{.*}}(%[[E:.*]]: i64, %{{.*}}: f32):
  // CHECK: arith.cmpi slt, %[[E]], %[[WHOLE]]
  // CHECK: loop.load_chunk %arg0[%[[E]]]
  // CHECK-COUNT-4: arith.addf
  // CHECK: ^[[EACH]](%[[K:.*]]: i64, %[[SUM:.*]]: f32):
  // CHECK: arith.cmpi slt, %[[K]], %[[WHOLE]]
  // CHECK-COUNT-4: loop.load %
  // CHECK: arith.addf %[[SUM]],
  // CHECK-COUNT-3: arith.addf
  // CHECK: cf.br ^[[EACH]]
  // CHECK: ^{{.*}}(%{{.*}}: i64, %[[CHUNKS:.*]]: f32):
  // CHECK: cf.br ^[[ONE:bb[0-9]+]](%[[TAIL]], %[[CHUNKS]] : i64, f32)
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

// A barrier precedes the reads of what another loop has written.
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

// Beside a shared loop, lane 0 alone does a store outside of loops.
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

// Chunks are of the widest element; a load that follows the iterations along an
// inner dimension of its own is one, one that stands still or whose index is
// computed is not. A constant index is known before the loop.
// CHECK-LABEL: loop.kernel @mixed
// CHECK: loop.has_chunks 2 of %arg0[%{{.*}}, %{{.*}}] along 1 : !loop.array<f64, 2>
// CHECK: loop.has_chunks 2 of %arg1[%{{.*}}] along 0 : !loop.array<i8, 1>
// CHECK-NOT: loop.has_chunks
// CHECK: loop.load_chunk %arg0{{.*}} -> f64, f64
// CHECK: loop.load_chunk %arg1{{.*}} -> i8, i8
// CHECK: loop.load %arg1
// SEQUENTIAL-LABEL: loop.kernel @mixed
// SEQUENTIAL-NOT: loop.has_chunks
loop.kernel @mixed kind(gufunc)
    (%a: !loop.array<f64, 2>, %b: !loop.array<i8, 1>, %m: i64, %n: i64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 0>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f64 {
    %k = arith.constant 2 : i64
    %x = loop.load %a[%k, %i] : !loop.array<f64, 2>
    %y = loop.load %b[%i] : !loop.array<i8, 1>
    %next = arith.addi %i, %c1 : i64
    %z = loop.load %b[%next] : !loop.array<i8, 1>
    %yz = arith.addi %y, %z : i8
    %f = arith.sitofp %yz : i8 to f64
    %p = arith.mulf %x, %f : f64
    loop.yield %p : f64
  }
  loop.return %s : f64
}

// Nothing to gain: steps of two, elements of 16 bytes.
// CHECK-LABEL: loop.kernel @plain
// CHECK-NOT: loop.has_chunks
loop.kernel @plain kind(gufunc)
    (%a: !loop.array<f32, 1>, %b: !loop.array<complex<f64>, 1>, %n: i64)
    -> (f32, complex<f64>)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c2 : f32 {
    %x = loop.load %a[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %t = loop.reduce sum (%i) = %c0 to %n step %c1 : complex<f64> {
    %x = loop.load %b[%i] : !loop.array<complex<f64>, 1>
    loop.yield %x : complex<f64>
  }
  loop.return %s, %t : f32, complex<f64>
}

// Every operation of the loop dialect prints as it parses.
// RUN: %kern-opt %s | FileCheck %s
// RUN: %kern-opt %s | %kern-opt | FileCheck %s
// RUN: %kern-opt %s --mlir-print-op-generic | %kern-opt | FileCheck %s

// CHECK-LABEL: loop.kernel @add kind(ufunc) (%{{.*}}: f32, %{{.*}}: f32) -> (f32)
// CHECK-SAME: attributes {num_dims = 0 : i64, num_inputs = 2 : i64, output_ranks = array<i64: 0>}
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  // CHECK: loop.return %{{.*}} : f32
  loop.return %c : f32
}

// CHECK-LABEL: loop.kernel @fill kind(gufunc)
// CHECK-SAME: (%[[S:.*]]: i32, %[[Y:.*]]: !loop.array<i32, 2>, %[[M:.*]]: i64, %[[N:.*]]: i64)
// CHECK-SAME: dim_names = ["m", "n"], nonempty = {{\[\[}}"n"]]
// CHECK-SAME: shared_extents = {{\[\[}}"m", "n", "*"]]
loop.kernel @fill kind(gufunc)
    (%s: i32, %y: !loop.array<i32, 2>, %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"],
                shared_extents = [["m", "n", "*"]], nonempty = [["n"]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: loop.parallel (%[[I:.*]], %[[J:.*]]) = (%[[C0:.*]], %[[C0]]) to (%[[M]], %[[N]]) step (%[[C1:.*]], %[[C1]]) {
  // CHECK-NEXT: loop.store %[[S]], %[[Y]][%[[I]], %[[J]]] : !loop.array<i32, 2>
  // CHECK-NEXT: loop.yield
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    loop.store %s, %y[%i, %j] : !loop.array<i32, 2>
    loop.yield
  }
  // CHECK: loop.return
  loop.return
}

// CHECK-LABEL: loop.kernel @reduce
loop.kernel @reduce kind(gufunc) (%v: !loop.array<i1, 1>, %n: i64) -> (i1, i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: loop.reduce any (%[[I:.*]]) = %{{.*}} to %{{.*}} step %{{.*}} : i1 {
  // CHECK-NEXT: %[[X:.*]] = loop.load %{{.*}}[%[[I]]] : !loop.array<i1, 1>
  // CHECK-NEXT: loop.yield %[[X]] : i1
  %r = loop.reduce any (%i) = %c0 to %n step %c1 : i1 {
    %x = loop.load %v[%i] : !loop.array<i1, 1>
    loop.yield %x : i1
  }
  // A region of several blocks, and a filter.
  // CHECK: loop.reduce arg_umax (%{{.*}}) = {{.*}} : i1 {
  // CHECK: cf.br ^bb1
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: loop.yield %{{.*}}, %{{.*}} : i1, i1
  %p = loop.reduce arg_umax (%i) = %c0 to %n step %c1 : i1 {
    %x = loop.load %v[%i] : !loop.array<i1, 1>
    cf.br ^bb1
  ^bb1:
    loop.yield %x, %x : i1, i1
  }
  loop.return %r, %p : i1, i64
}

// A reduction that counts what it keeps, and one whose values stand for several
// elements each.
// CHECK-LABEL: loop.kernel @counted
loop.kernel @counted kind(gufunc) (%v: !loop.array<i1, 1>, %n: i64) -> (i1, i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: %{{.*}}, %{{.*}} = loop.reduce any counted (%{{.*}}) = {{.*}} : i1 {
  // CHECK: loop.yield %{{.*}}, %{{.*}} : i1, i1
  %a, %k = loop.reduce any counted (%i) = %c0 to %n step %c1 : i1 {
    %x = loop.load %v[%i] : !loop.array<i1, 1>
    loop.yield %x, %x : i1, i1
  }
  // CHECK: loop.yield %{{.*}}, %{{.*}}, %{{.*}} : i1, i1, i64
  %b, %l = loop.reduce any counted (%i) = %c0 to %n step %c1 : i1 {
    loop.yield %a, %a, %i : i1, i1, i64
  }
  loop.return %b, %l : i1, i64
}

// CHECK-LABEL: loop.kernel @lanes
loop.kernel @lanes kind(gufunc) (%n: i64) -> (i64, f32, i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0, 0>} {
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[LANE:.*]] = loop.lane
  // CHECK: %[[GROUP:.*]] = loop.group_size
  // CHECK: loop.combine sum %{{.*}} : f32 -> f32
  // CHECK: loop.combine arg_fmin %{{.*}}, %[[LANE]] : f32 -> i64
  // CHECK: loop.barrier
  %lane = loop.lane
  %group = loop.group_size
  %s = loop.combine sum %zero : f32 -> f32
  %p = loop.combine arg_fmin %zero, %lane : f32 -> i64
  loop.barrier
  loop.return %group, %s, %p : i64, f32, i64
}

// CHECK-LABEL: loop.kernel @scan
loop.kernel @scan kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64) -> (f32, i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1, 0, 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %yes = arith.constant true
  // CHECK: %[[T:.*]]:2 = loop.scan %{{.*}} to %{{.*}} step %{{.*}} from(%{{.*}}, %{{.*}}) if %{{.*}} : (f32, i64) {
  // CHECK: loop.give %{{.*}}, %{{.*}} : f32, i64
  // CHECK: } combine {
  // CHECK: loop.give
  // CHECK: } write {
  // CHECK: loop.store
  // CHECK: loop.give{{$}}
  // CHECK: } -> (f32, i64)
  %t:2 = loop.scan %c0 to %n step %c1 from (%zero, %c0) if %yes : (f32, i64) {
  ^bb0(%i: i64):
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.give %x, %i : f32, i64
  } combine {
  ^bb0(%a: f32, %i: i64, %b: f32, %j: i64):
    %s = arith.addf %a, %b : f32
    loop.give %s, %j : f32, i64
  } write {
  ^bb0(%i: i64, %s: f32, %j: i64):
    loop.store %s, %y[%j] : !loop.array<f32, 1>
    loop.give
  } -> (f32, i64)
  // CHECK: loop.of_lane %[[T]]#0, %[[T]]#1 : f32
  // CHECK: loop.of_warps %{{.*}} : f32
  %l = loop.of_lane %t#0, %t#1 : f32
  %w = loop.of_warps %l : f32
  loop.return %w, %t#1 : f32, i64
}

// RUN: %kern-opt %s --loop-map="flat=true" | FileCheck %s
// RUN: %kern-opt %s --loop-map="flat=true tile=4" | FileCheck %s --check-prefix=TILE
// RUN: %kern-opt %s --loop-map="flat=true sliced=true across=true" | FileCheck %s --check-prefix=SHARED

// A loop that adds up a variable is a reduction in order. It can have tiles, and
// lanes and slices do not share it.
// CHECK-LABEL: loop.kernel @variable
// CHECK-NOT: cf.br
// CHECK: %[[S:.*]] = loop.reduce sum (%[[L:.*]]) = %{{.*}} to %arg4 step %{{.*}} : f32 attributes {in_order} {
// CHECK: %[[A:.*]] = loop.load %arg0[%{{.*}}, %[[L]]]
// CHECK: %[[B:.*]] = loop.load %arg1[%[[L]], %{{.*}}]
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK: loop.yield %[[P]] : f32
// CHECK: loop.store %[[S]], %arg2
// CHECK-NEXT: loop.return
// TILE-LABEL: loop.kernel @variable
// TILE-SAME: loop.tile = array<i64: 4, 4
// TILE-NOT: loop.reduce
// TILE-LABEL: loop.kernel @element
// SHARED-LABEL: loop.kernel @variable
// SHARED-NOT: loop.launches
// SHARED: loop.reduce sum {{.*}} attributes {in_order}
loop.kernel @variable kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %c: !loop.array<f32, 2>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %zero = arith.constant 0.0 : f32
    cf.br ^head(%c0, %zero : i64, f32)
  ^head(%l: i64, %s: f32):
    %more = arith.cmpi slt, %l, %k : i64
    cf.cond_br %more, ^body, ^after
  ^body:
    %x = loop.load %a[%i, %l] : !loop.array<f32, 2>
    %y = loop.load %b[%l, %j] : !loop.array<f32, 2>
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    %one = arith.constant 1 : i64
    %next = arith.addi %l, %one : i64
    cf.br ^head(%next, %t : i64, f32)
  ^after:
    loop.store %s, %c[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}

// So is one that adds up an element, which is stored once.
// CHECK-LABEL: loop.kernel @element
// CHECK-NOT: loop.store
// CHECK: %[[S:.*]] = loop.reduce prod
// CHECK-NOT: loop.load %arg2
// CHECK: loop.store %[[S]], %arg2
// CHECK-NEXT: loop.return
loop.kernel @element kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %c: !loop.array<f32, 2>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %first = arith.constant 1.0 : f32
    loop.store %first, %c[%i, %j] : !loop.array<f32, 2>
    cf.br ^head(%c0 : i64)
  ^head(%l: i64):
    %more = arith.cmpi slt, %l, %k : i64
    cf.cond_br %more, ^body, ^after
  ^body:
    %s = loop.load %c[%i, %j] : !loop.array<f32, 2>
    %x = loop.load %a[%i, %l] : !loop.array<f32, 2>
    %y = loop.load %b[%l, %j] : !loop.array<f32, 2>
    %p = arith.addf %x, %y : f32
    %t = arith.mulf %p, %s : f32
    loop.store %t, %c[%i, %j] : !loop.array<f32, 2>
    %one = arith.constant 1 : i64
    %next = arith.addi %l, %one : i64
    cf.br ^head(%next : i64)
  ^after:
    loop.yield
  }
  loop.return
}

// These stay loops: a sum that begins with another value, or with -0; one of
// which an iteration stores what it has so far; and an element of an array that
// the loop reads elsewhere too.
// CHECK-LABEL: loop.kernel @others
// CHECK-NOT: loop.reduce
// CHECK: loop.return
loop.kernel @others kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 1>,
    %c: !loop.array<f32, 2>, %m: i64, %k: i64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%m) step (%c1) {
    %start = loop.load %b[%i] : !loop.array<f32, 1>
    cf.br ^head(%c0, %start : i64, f32)
  ^head(%l: i64, %s: f32):
    %more = arith.cmpi slt, %l, %k : i64
    cf.cond_br %more, ^body, ^second
  ^body:
    %x = loop.load %a[%i, %l] : !loop.array<f32, 2>
    %t = arith.addf %s, %x : f32
    %one = arith.constant 1 : i64
    %next = arith.addi %l, %one : i64
    cf.br ^head(%next, %t : i64, f32)
  ^second:
    %negative = arith.constant -0.0 : f32
    cf.br ^head2(%c0, %negative : i64, f32)
  ^head2(%l2: i64, %s2: f32):
    %more2 = arith.cmpi slt, %l2, %k : i64
    cf.cond_br %more2, ^body2, ^third
  ^body2:
    %x2 = loop.load %a[%i, %l2] : !loop.array<f32, 2>
    %t2 = arith.addf %s2, %x2 : f32
    %one2 = arith.constant 1 : i64
    %next2 = arith.addi %l2, %one2 : i64
    cf.br ^head2(%next2, %t2 : i64, f32)
  ^third:
    %zero = arith.constant 0.0 : f32
    cf.br ^head3(%c0, %zero : i64, f32)
  ^head3(%l3: i64, %s3: f32):
    %more3 = arith.cmpi slt, %l3, %k : i64
    cf.cond_br %more3, ^body3, ^fourth
  ^body3:
    %x3 = loop.load %a[%i, %l3] : !loop.array<f32, 2>
    %t3 = arith.addf %s3, %x3 : f32
    loop.store %t3, %c[%i, %l3] : !loop.array<f32, 2>
    %one3 = arith.constant 1 : i64
    %next3 = arith.addi %l3, %one3 : i64
    cf.br ^head3(%next3, %t3 : i64, f32)
  ^fourth:
    loop.store %zero, %c[%i, %c0] : !loop.array<f32, 2>
    cf.br ^head4(%c0 : i64)
  ^head4(%l4: i64):
    %more4 = arith.cmpi slt, %l4, %k : i64
    cf.cond_br %more4, ^body4, ^after
  ^body4:
    %s4 = loop.load %c[%i, %c0] : !loop.array<f32, 2>
    %x4 = loop.load %c[%i, %l4] : !loop.array<f32, 2>
    %t4 = arith.addf %s4, %x4 : f32
    loop.store %t4, %c[%i, %c0] : !loop.array<f32, 2>
    %one4 = arith.constant 1 : i64
    %next4 = arith.addi %l4, %one4 : i64
    cf.br ^head4(%next4 : i64)
  ^after:
    loop.store %s, %c[%i, %c0] : !loop.array<f32, 2>
    loop.store %s2, %c[%i, %c0] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}

// So does one that reads the sum so far in an inner reduction.
// CHECK-LABEL: loop.kernel @read_inside
// CHECK-NOT: in_order
// CHECK: loop.return
loop.kernel @read_inside kind(gufunc) (%a: !loop.array<f32, 2>, %c: !loop.array<f32, 1>,
    %m: i64, %k: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["m", "k"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%m) step (%c1) {
    %zero = arith.constant 0.0 : f32
    cf.br ^head(%c0, %zero : i64, f32)
  ^head(%l: i64, %s: f32):
    %more = arith.cmpi slt, %l, %k : i64
    cf.cond_br %more, ^body, ^after
  ^body:
    %r = loop.reduce sum (%q) = %c0 to %k step %c1 : f32 {
      %v = arith.sitofp %q : i64 to f32
      %w = arith.mulf %v, %s : f32
      loop.yield %w : f32
    }
    %t = arith.addf %s, %r : f32
    %one = arith.constant 1 : i64
    %next = arith.addi %l, %one : i64
    cf.br ^head(%next, %t : i64, f32)
  ^after:
    loop.store %s, %c[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// What a sum in order reads is complete before it, and is read before it is
// overwritten.
// RUN: %kern-opt %s --loop-map="flat=true" --loop-distribute | FileCheck %s --check-prefix=BARRIER
// BARRIER-LABEL: loop.kernel @between
// BARRIER: loop.barrier
// BARRIER: loop.store
// BARRIER: loop.barrier
// BARRIER: loop.load %arg1[
// BARRIER: loop.barrier
// BARRIER: loop.store
// BARRIER: loop.barrier
// BARRIER: loop.return
loop.kernel @between kind(gufunc) (%a: !loop.array<f32, 2>, %c: !loop.array<f32, 2>,
    %m: i64, %k: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%m) step (%c1) {
    loop.parallel (%l) = (%c0) to (%k) step (%c1) {
      %x = loop.load %a[%i, %l] : !loop.array<f32, 2>
      loop.store %x, %c[%i, %l] : !loop.array<f32, 2>
      loop.yield
    }
    %zero = arith.constant 0.0 : f32
    cf.br ^head(%c0, %zero : i64, f32)
  ^head(%q: i64, %s: f32):
    %more = arith.cmpi slt, %q, %k : i64
    cf.cond_br %more, ^body, ^after
  ^body:
    %y = loop.load %c[%i, %q] : !loop.array<f32, 2>
    %t = arith.addf %s, %y : f32
    %one = arith.constant 1 : i64
    %next = arith.addi %q, %one : i64
    cf.br ^head(%next, %t : i64, f32)
  ^after:
    loop.parallel (%l) = (%c0) to (%k) step (%c1) {
      loop.store %s, %c[%i, %l] : !loop.array<f32, 2>
      loop.yield
    }
    loop.yield
  }
  loop.return
}

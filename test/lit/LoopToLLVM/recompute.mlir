// RUN: %kern-opt %s --loop-recompute | FileCheck %s

// Each loop reads an element once: the array is not kept. An element that a body
// reads twice is computed once.
// CHECK-LABEL: loop.kernel @centred
// CHECK-NOT: loop.local
// CHECK: loop.reduce
// CHECK: loop.load %[[X:.*]][%{{.*}}]
// CHECK-NEXT: %[[D:.*]] = arith.subf
// CHECK-NEXT: arith.mulf %[[D]], %[[D]]
// CHECK: loop.parallel
// CHECK-NEXT: loop.load %[[X]]
// CHECK-NEXT: arith.subf
// CHECK-NEXT: arith.divf
// CHECK-NOT: loop.parallel
loop.kernel @centred kind(gufunc) (%x: !loop.array<f32, 1>, %m: f32, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.maxsi %n, %zero : i64
  %d = loop.local[%size] {bytes = ["n"]} : !loop.array<f32, 1>
  loop.parallel (%i) = (%zero) to (%n) step (%one) {
    %e = loop.load %x[%i] : !loop.array<f32, 1>
    %c = arith.subf %e, %m : f32
    loop.store %c, %d[%i] : !loop.array<f32, 1>
    loop.yield
  }
  %sum = loop.reduce sum (%i) = %zero to %n step %one : f32 {
    %e = loop.load %d[%i] : !loop.array<f32, 1>
    %f = loop.load %d[%i] : !loop.array<f32, 1>
    %s = arith.mulf %e, %f : f32
    loop.yield %s : f32
  }
  loop.parallel (%i) = (%zero) to (%n) step (%one) {
    %e = loop.load %d[%i] : !loop.array<f32, 1>
    %q = arith.divf %e, %sum : f32
    loop.store %q, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Read in another order it is kept, since many iterations may read an element.
// CHECK-LABEL: loop.kernel @reversed
// CHECK: loop.local
loop.kernel @reversed kind(gufunc) (%x: !loop.array<f32, 1>, %m: f32, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %d = loop.local[%n] {bytes = ["n"]} : !loop.array<f32, 1>
  loop.parallel (%i) = (%zero) to (%n) step (%one) {
    %e = loop.load %x[%i] : !loop.array<f32, 1>
    %c = arith.subf %e, %m : f32
    loop.store %c, %d[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%zero) to (%n) step (%one) {
    %j = arith.subi %n, %i : i64
    %e = loop.load %d[%j] : !loop.array<f32, 1>
    loop.store %e, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Of an array that is written, of a part, and by a division.
// CHECK-LABEL: loop.kernel @kept
// CHECK-COUNT-3: loop.local
loop.kernel @kept kind(gufunc) (%x: !loop.array<f32, 1>, %m: f32, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = loop.local[%n] {bytes = ["n"]} : !loop.array<f32, 1>
  %b = loop.local[%n] {bytes = ["n"]} : !loop.array<f32, 1>
  %c = loop.local[%n] {bytes = ["n"]} : !loop.array<f32, 1>
  loop.parallel (%i) = (%zero) to (%n) step (%one) {
    %e = loop.load %y[%i] : !loop.array<f32, 1>
    loop.store %e, %a[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%one) to (%n) step (%one) {
    %e = loop.load %x[%i] : !loop.array<f32, 1>
    loop.store %e, %b[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%zero) to (%n) step (%one) {
    %e = loop.load %x[%i] : !loop.array<f32, 1>
    %q = arith.divf %e, %m : f32
    loop.store %q, %c[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%zero) to (%n) step (%one) {
    %e = loop.load %a[%i] : !loop.array<f32, 1>
    %f = loop.load %b[%i] : !loop.array<f32, 1>
    %g = loop.load %c[%i] : !loop.array<f32, 1>
    %s = arith.addf %e, %f : f32
    %t = arith.addf %s, %g : f32
    loop.store %t, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

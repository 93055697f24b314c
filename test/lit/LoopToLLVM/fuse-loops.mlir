// RUN: %kern-opt %s --split-input-file --pass-pipeline="builtin.module(loop-fuse)" | FileCheck %s

// The value that the first loop stores passes in a register. The local array is
// not read again, so it goes.
// CHECK-LABEL: loop.kernel @steps
// CHECK-NOT: loop.local
// CHECK: loop.parallel (%[[I:.*]]) =
// CHECK-NEXT: %[[X:.*]] = loop.load %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NEXT: %[[Z:.*]] = arith.mulf %[[T]], %[[T]]
// CHECK-NEXT: loop.store %[[Z]]
// CHECK-NEXT: loop.yield
// CHECK-NOT: loop.parallel
loop.kernel @steps kind(gufunc)
    (%x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %t = loop.local [%n] {bytes = ["n", "4", "*"]} : !loop.array<f32, 1>
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = loop.load %x[%i] : !loop.array<f32, 1>
    %b = arith.addf %a, %a : f32
    loop.store %b, %t[%i] : !loop.array<f32, 1>
    loop.yield
  }
  %d0 = arith.constant 0 : i64
  %d1 = arith.constant 1 : i64
  loop.parallel (%j) = (%d0) to (%n) step (%d1) {
    %a = loop.load %t[%j] : !loop.array<f32, 1>
    %b = arith.mulf %a, %a : f32
    loop.store %b, %y[%j] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// -----

// A loop that reads what other iterations stored stays apart, and so do the
// loops of two reductions, other ranges, and loops around a store.
// CHECK-LABEL: loop.kernel @apart
// CHECK-COUNT-5: loop.parallel
loop.kernel @apart kind(gufunc)
    (%x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %z: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1, 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = loop.reduce sum (%p) = %c0 to %n step %c1 : f32 {
      %a = loop.load %x[%p] : !loop.array<f32, 1>
      loop.yield %a : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = arith.subi %n, %i : i64
    %j = arith.subi %k, %c1 : i64
    %a = loop.load %y[%j] : !loop.array<f32, 1>
    loop.store %a, %z[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c1) to (%n) step (%c1) {
    %a = loop.load %z[%i] : !loop.array<f32, 1>
    loop.store %a, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.store %zero, %z[%c0] : !loop.array<f32, 1>
  loop.parallel (%i) = (%c1) to (%n) step (%c1) {
    %s = loop.reduce sum (%p) = %c0 to %i step %c1 : f32 {
      %a = loop.load %x[%p] : !loop.array<f32, 1>
      loop.yield %a : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c1) to (%n) step (%c1) {
    %s = loop.reduce sum (%p) = %c0 to %i step %c1 : f32 {
      %a = loop.load %x[%p] : !loop.array<f32, 1>
      loop.yield %a : f32
    }
    loop.store %s, %z[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

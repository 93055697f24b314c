// RUN: %kern-opt %s --loop-merge-reductions | FileCheck %s

// Equal sums of what is not written in between are one, whichever constants
// their ranges have. What follows from them is equal too.
// CHECK-LABEL: loop.kernel @equal
// CHECK: %[[SUM:.*]] = loop.reduce sum
// CHECK: loop.yield
// CHECK: %[[MEAN:.*]] = arith.divf %[[SUM]]
// CHECK: %[[SQUARES:.*]] = loop.reduce sum
// CHECK-NOT: loop.reduce
// CHECK: loop.return %[[SUM]], %[[SQUARES]], %[[SQUARES]]
loop.kernel @equal kind(gufunc) (%x: !loop.array<f32, 1>, %n: i64) -> (f32, f32, f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0, 0>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.sitofp %n : i64 to f32
  %first = loop.reduce sum (%i) = %zero to %n step %one : f32 {
    %e = loop.load %x[%i] : !loop.array<f32, 1>
    loop.yield %e : f32
  }
  %mean = arith.divf %first, %size : f32
  %squares = loop.reduce sum (%i) = %zero to %n step %one : f32 {
    %e = loop.load %x[%i] : !loop.array<f32, 1>
    %d = arith.subf %e, %mean : f32
    %s = arith.mulf %d, %d : f32
    loop.yield %s : f32
  }
  %zero1 = arith.constant 0 : i64
  %one1 = arith.constant 1 : i64
  %second = loop.reduce sum (%i) = %zero1 to %n step %one1 : f32 {
    %e = loop.load %x[%i] : !loop.array<f32, 1>
    loop.yield %e : f32
  }
  %mean1 = arith.divf %second, %size : f32
  %squares1 = loop.reduce sum (%i) = %zero1 to %n step %one : f32 {
    %e = loop.load %x[%i] : !loop.array<f32, 1>
    %d = arith.subf %e, %mean1 : f32
    %s = arith.mulf %d, %d : f32
    loop.yield %s : f32
  }
  loop.return %first, %squares, %squares1 : f32, f32, f32
}

// Another kind, another range, and what is written in between.
// CHECK-LABEL: loop.kernel @different
// CHECK-COUNT-4: loop.reduce
// CHECK: loop.return
loop.kernel @different kind(gufunc) (%x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64) -> (f32, f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1, 0, 0>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %first = loop.reduce sum (%i) = %zero to %n step %one : f32 {
    %e = loop.load %y[%i] : !loop.array<f32, 1>
    loop.yield %e : f32
  }
  %product = loop.reduce prod (%i) = %zero to %n step %one : f32 {
    %e = loop.load %y[%i] : !loop.array<f32, 1>
    loop.yield %e : f32
  }
  %rest = loop.reduce sum (%i) = %one to %n step %one : f32 {
    %e = loop.load %y[%i] : !loop.array<f32, 1>
    loop.yield %e : f32
  }
  loop.parallel (%i) = (%zero) to (%n) step (%one) {
    loop.store %rest, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  %second = loop.reduce sum (%i) = %zero to %n step %one : f32 {
    %e = loop.load %y[%i] : !loop.array<f32, 1>
    loop.yield %e : f32
  }
  %a = arith.addf %first, %product : f32
  loop.return %a, %second : f32, f32
}

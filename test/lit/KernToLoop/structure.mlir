// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Functions, blocks, memory and loops.

// Unreachable code is dropped.
// CHECK-LABEL: loop.kernel @blocks kind(ufunc) (%arg0: i32) -> (i32)
// CHECK-SAME: attributes {num_dims = 0 : i64, num_inputs = 1 : i64, output_ranks = array<i64: 0>}
// CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb2(%arg0 : i32)
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.br ^bb2(%c0_i32 : i32)
// CHECK-NEXT: ^bb2(%[[X:.*]]: i32):
// CHECK-NEXT: loop.return %[[X]] : i32
// CHECK-NEXT: }
kern.func typed ufunc @blocks(%p0: si32) -> si32 {
    %0 = kern.constant 0 : i128 -> si32
    %1 = kern.apply less(%p0, %0) : (si32, si32) -> i1
    cf.cond_br %1, ^bb1, ^bb2(%p0 : si32)
  ^bb1:
    %2 = kern.accumulator %0 : si32 -> si32
    cf.br ^bb2(%2 : si32)
  ^bb2(%3: si32):
    kern.return %3 : si32
  ^bb3:
    cf.br ^bb1
}

// Inputs, then array results, then dimensions; other results are returned.
// CHECK-LABEL: loop.kernel @row_sums kind(gufunc)
// CHECK-SAME: (%arg0: !loop.array<f32, 2>, %arg1: f32, %arg2: !loop.array<f32, 1>, %arg3: i64, %arg4: i64) -> (f32)
// CHECK-SAME: dim_names = ["m", "n"]
// CHECK-SAME: num_dims = 2 : i64, num_inputs = 2 : i64, output_ranks = array<i64: 1, 0>
// CHECK: loop.parallel (%[[I:.*]]) = (%c0_i64) to (%arg3) step (%c1_i64) {
// CHECK: %[[S:.*]] = loop.reduce sum (%[[J:.*]]) = %c0_i64 to %arg4 step %c1_i64 : f32 {
// CHECK: %[[X:.*]] = loop.load %arg0[%[[I]], %[[J]]]
// CHECK: %[[KEEP:.*]] = arith.cmpf ogt, %[[X]], %arg1
// CHECK: loop.yield %[[X]], %[[KEEP]] : f32, i1
// CHECK: loop.store %[[S]], %arg2[%[[I]]]
// CHECK: loop.yield
// CHECK: loop.return %arg1 : f32
kern.func typed gufunc @row_sums(%p0: f32[m, n], %p1: f32) -> (%r0: f32[m], r1: f32) {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %m = kern.dim "m" : si64
    %n = kern.dim "n" : si64
    "kern.parallel"(%zero, %m, %one) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%i: si64):
      %s = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> f32 {
      ^bb0(%j: si64):
        %x = kern.load %p0[%i, %j] : <f32, 2>[si64, si64] -> f32
        %keep = kern.apply greater(%x, %p1) : (f32, f32) -> i1
        kern.yield %x : f32 if %keep
      }
      kern.store %s, %r0[%i] : f32, <f32, 1>[si64]
      kern.yield
    }) : (si64, si64, si64) -> ()
    kern.return %p1 : f32
}

// A dim parameter is a dimension, not an input.
// CHECK-LABEL: loop.kernel @dim_parameter kind(gufunc) (%arg0: !loop.array<f64, 1>, %arg1: i64, %arg2: i64) -> (f64)
// CHECK-SAME: num_dims = 2 : i64, num_inputs = 1 : i64
// CHECK-NEXT: arith.sitofp %arg2 : i64 to f64
kern.func typed gufunc @dim_parameter(%p0: f64[n], k: dim) -> f64 {
  %k = kern.dim "k" : si64
  %0 = kern.cast explicit %k : si64 to f64 -> f64
  kern.return %0 : f64
}

// The streamed form asks whether results lie at cache lines, and calls one of
// two functions with the same loops.
// RUN: %kern-opt %s --loop-distribute=sequential=true --loop-to-host=streamed=true | FileCheck %s

// CHECK-LABEL: llvm.func internal @add__plain(
// CHECK: llvm.call @add__body
// CHECK-LABEL: llvm.func internal @add__streaming(
// CHECK-SAME: passthrough = ["noinline", "kern-streams"]
// CHECK: llvm.call @add__body
// CHECK-LABEL: llvm.func @add__streamed(
// CHECK-SAME: elements = 64 : i64, form = "streamed", kernel = "add"
// CHECK: %[[POINTER:.*]] = llvm.ptrtoint
// CHECK: %[[BITS:.*]] = arith.ori %[[POINTER]]
// CHECK: %[[LINE:.*]] = arith.constant 63
// CHECK: arith.andi %[[BITS]], %[[LINE]]
// CHECK: llvm.call @add__streaming
// CHECK: llvm.call @add__plain
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// Blocks of 32 truth values are half a cache line.
// CHECK-LABEL: llvm.func @isneg__contiguous(
loop.kernel @isneg kind(ufunc) (%a: f64) -> (i1)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0.0 : f64
  %c = arith.cmpf olt, %a, %zero : f64
  loop.return %c : i1
}

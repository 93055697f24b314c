// Scalar code on the GPU: correctly rounded, subnormals kept, contraction only
// where it is allowed.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-choose-contractions,loop-distribute,loop-to-gpu{strided=false},kern-emit{as=ptx arch=sm_75})" > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas-all %t.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{strided=false},kern-emit{as=ptx arch=sm_75 precise=true})" > %t.precise.ptx
// RUN: FileCheck %s --check-prefix=PRECISE < %t.precise.ptx
// RUN: %ptxas-all %t.precise.ptx

// CHECK-NOT: .approx
// CHECK-NOT: .ftz

// CHECK-LABEL: .entry root__contiguous(
// CHECK: sqrt.rn.f32
loop.kernel @root kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = math.sqrt %a : f32
  loop.return %c : f32
}

// CHECK-LABEL: .entry quotient__contiguous(
// CHECK: div.rn.f32
loop.kernel @quotient kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.divf %a, %b : f32
  loop.return %c : f32
}

// libdevice's hypot asks how square roots are to be rounded.
// CHECK-LABEL: .entry hypot__contiguous(
// CHECK: sqrt.rn.f32
func.func private @kern.hypot.f32(f32, f32) -> f32
loop.kernel @hypot kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = func.call @kern.hypot.f32(%a, %b) : (f32, f32) -> f32
  loop.return %c : f32
}

// CHECK-LABEL: .entry muladd__contiguous(
// CHECK: fma.rn.f32
// PRECISE-LABEL: .entry muladd__contiguous(
// PRECISE-NOT: fma.rn.f32
// PRECISE: mul.rn.f32
// PRECISE-NOT: fma.rn.f32
// PRECISE: add.rn.f32
loop.kernel @muladd kind(ufunc) (%a: f32, %b: f32, %c: f32) -> (f32)
    attributes {num_inputs = 3 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %d = arith.mulf %a, %b : f32
  %e = arith.addf %d, %c : f32
  loop.return %e : f32
}

// An FMA that is called by name stays one.
// PRECISE-LABEL: .entry fused__contiguous(
// PRECISE: fma.rn.f64
loop.kernel @fused kind(ufunc) (%a: f64, %b: f64, %c: f64) -> (f64)
    attributes {num_inputs = 3 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %d = math.fma %a, %b, %c : f64
  loop.return %d : f64
}

// CHECK-LABEL: .entry rounding__contiguous(
// CHECK: cvt.rni.f64.f64
loop.kernel @rounding kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = math.roundeven %a : f64
  loop.return %c : f64
}

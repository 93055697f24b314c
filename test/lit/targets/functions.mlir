// Every elementary function has an implementation on both targets, which needs
// nothing but itself.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{contiguous=false},kern-emit{as=ptx arch=sm_75})" > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas-all %t.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm})" | FileCheck %s --check-prefix=HOST

// CHECK-NOT: .extern
// CHECK-NOT: __nvvm_reflect
// HOST-NOT: @kern.{{[a-z0-9]+}}.{{f32|f64}}
// CHECK-DAG: .visible .entry acos_f32__strided(
// CHECK-DAG: .visible .entry acos_f64__strided(
// CHECK-DAG: .visible .entry acosh_f32__strided(
// CHECK-DAG: .visible .entry acosh_f64__strided(
// CHECK-DAG: .visible .entry asin_f32__strided(
// CHECK-DAG: .visible .entry asin_f64__strided(
// CHECK-DAG: .visible .entry asinh_f32__strided(
// CHECK-DAG: .visible .entry asinh_f64__strided(
// CHECK-DAG: .visible .entry atan_f32__strided(
// CHECK-DAG: .visible .entry atan_f64__strided(
// CHECK-DAG: .visible .entry atan2_f32__strided(
// CHECK-DAG: .visible .entry atan2_f64__strided(
// CHECK-DAG: .visible .entry atanh_f32__strided(
// CHECK-DAG: .visible .entry atanh_f64__strided(
// CHECK-DAG: .visible .entry cbrt_f32__strided(
// CHECK-DAG: .visible .entry cbrt_f64__strided(
// CHECK-DAG: .visible .entry cos_f32__strided(
// CHECK-DAG: .visible .entry cos_f64__strided(
// CHECK-DAG: .visible .entry cosh_f32__strided(
// CHECK-DAG: .visible .entry cosh_f64__strided(
// CHECK-DAG: .visible .entry erf_f32__strided(
// CHECK-DAG: .visible .entry erf_f64__strided(
// CHECK-DAG: .visible .entry erfc_f32__strided(
// CHECK-DAG: .visible .entry erfc_f64__strided(
// CHECK-DAG: .visible .entry exp_f32__strided(
// CHECK-DAG: .visible .entry exp_f64__strided(
// CHECK-DAG: .visible .entry exp2_f32__strided(
// CHECK-DAG: .visible .entry exp2_f64__strided(
// CHECK-DAG: .visible .entry expm1_f32__strided(
// CHECK-DAG: .visible .entry expm1_f64__strided(
// CHECK-DAG: .visible .entry fmod_f32__strided(
// CHECK-DAG: .visible .entry fmod_f64__strided(
// CHECK-DAG: .visible .entry hypot_f32__strided(
// CHECK-DAG: .visible .entry hypot_f64__strided(
// CHECK-DAG: .visible .entry lgamma_f32__strided(
// CHECK-DAG: .visible .entry lgamma_f64__strided(
// CHECK-DAG: .visible .entry log_f32__strided(
// CHECK-DAG: .visible .entry log_f64__strided(
// CHECK-DAG: .visible .entry log10_f32__strided(
// CHECK-DAG: .visible .entry log10_f64__strided(
// CHECK-DAG: .visible .entry log1p_f32__strided(
// CHECK-DAG: .visible .entry log1p_f64__strided(
// CHECK-DAG: .visible .entry log2_f32__strided(
// CHECK-DAG: .visible .entry log2_f64__strided(
// CHECK-DAG: .visible .entry nextafter_f32__strided(
// CHECK-DAG: .visible .entry nextafter_f64__strided(
// CHECK-DAG: .visible .entry pow_f32__strided(
// CHECK-DAG: .visible .entry pow_f64__strided(
// CHECK-DAG: .visible .entry sin_f32__strided(
// CHECK-DAG: .visible .entry sin_f64__strided(
// CHECK-DAG: .visible .entry sinh_f32__strided(
// CHECK-DAG: .visible .entry sinh_f64__strided(
// CHECK-DAG: .visible .entry tan_f32__strided(
// CHECK-DAG: .visible .entry tan_f64__strided(
// CHECK-DAG: .visible .entry tanh_f32__strided(
// CHECK-DAG: .visible .entry tanh_f64__strided(
// CHECK-DAG: .visible .entry tgamma_f32__strided(
// CHECK-DAG: .visible .entry tgamma_f64__strided(
func.func private @kern.acos.f32(f32) -> f32
loop.kernel @acos_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.acos.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.acos.f64(f64) -> f64
loop.kernel @acos_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.acos.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.acosh.f32(f32) -> f32
loop.kernel @acosh_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.acosh.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.acosh.f64(f64) -> f64
loop.kernel @acosh_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.acosh.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.asin.f32(f32) -> f32
loop.kernel @asin_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.asin.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.asin.f64(f64) -> f64
loop.kernel @asin_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.asin.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.asinh.f32(f32) -> f32
loop.kernel @asinh_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.asinh.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.asinh.f64(f64) -> f64
loop.kernel @asinh_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.asinh.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.atan.f32(f32) -> f32
loop.kernel @atan_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.atan.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.atan.f64(f64) -> f64
loop.kernel @atan_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.atan.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.atan2.f32(f32, f32) -> f32
loop.kernel @atan2_f32 kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.atan2.f32(%a, %b) : (f32, f32) -> f32
  loop.return %r : f32
}
func.func private @kern.atan2.f64(f64, f64) -> f64
loop.kernel @atan2_f64 kind(ufunc) (%a: f64, %b: f64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.atan2.f64(%a, %b) : (f64, f64) -> f64
  loop.return %r : f64
}
func.func private @kern.atanh.f32(f32) -> f32
loop.kernel @atanh_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.atanh.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.atanh.f64(f64) -> f64
loop.kernel @atanh_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.atanh.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.cbrt.f32(f32) -> f32
loop.kernel @cbrt_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.cbrt.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.cbrt.f64(f64) -> f64
loop.kernel @cbrt_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.cbrt.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.cos.f32(f32) -> f32
loop.kernel @cos_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.cos.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.cos.f64(f64) -> f64
loop.kernel @cos_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.cos.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.cosh.f32(f32) -> f32
loop.kernel @cosh_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.cosh.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.cosh.f64(f64) -> f64
loop.kernel @cosh_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.cosh.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.erf.f32(f32) -> f32
loop.kernel @erf_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.erf.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.erf.f64(f64) -> f64
loop.kernel @erf_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.erf.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.erfc.f32(f32) -> f32
loop.kernel @erfc_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.erfc.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.erfc.f64(f64) -> f64
loop.kernel @erfc_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.erfc.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.exp.f32(f32) -> f32
loop.kernel @exp_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.exp.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.exp.f64(f64) -> f64
loop.kernel @exp_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.exp.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.exp2.f32(f32) -> f32
loop.kernel @exp2_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.exp2.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.exp2.f64(f64) -> f64
loop.kernel @exp2_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.exp2.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.expm1.f32(f32) -> f32
loop.kernel @expm1_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.expm1.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.expm1.f64(f64) -> f64
loop.kernel @expm1_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.expm1.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.fmod.f32(f32, f32) -> f32
loop.kernel @fmod_f32 kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.fmod.f32(%a, %b) : (f32, f32) -> f32
  loop.return %r : f32
}
func.func private @kern.fmod.f64(f64, f64) -> f64
loop.kernel @fmod_f64 kind(ufunc) (%a: f64, %b: f64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.fmod.f64(%a, %b) : (f64, f64) -> f64
  loop.return %r : f64
}
func.func private @kern.hypot.f32(f32, f32) -> f32
loop.kernel @hypot_f32 kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.hypot.f32(%a, %b) : (f32, f32) -> f32
  loop.return %r : f32
}
func.func private @kern.hypot.f64(f64, f64) -> f64
loop.kernel @hypot_f64 kind(ufunc) (%a: f64, %b: f64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.hypot.f64(%a, %b) : (f64, f64) -> f64
  loop.return %r : f64
}
func.func private @kern.lgamma.f32(f32) -> f32
loop.kernel @lgamma_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.lgamma.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.lgamma.f64(f64) -> f64
loop.kernel @lgamma_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.lgamma.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.log.f32(f32) -> f32
loop.kernel @log_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.log.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.log.f64(f64) -> f64
loop.kernel @log_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.log.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.log10.f32(f32) -> f32
loop.kernel @log10_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.log10.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.log10.f64(f64) -> f64
loop.kernel @log10_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.log10.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.log1p.f32(f32) -> f32
loop.kernel @log1p_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.log1p.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.log1p.f64(f64) -> f64
loop.kernel @log1p_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.log1p.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.log2.f32(f32) -> f32
loop.kernel @log2_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.log2.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.log2.f64(f64) -> f64
loop.kernel @log2_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.log2.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.nextafter.f32(f32, f32) -> f32
loop.kernel @nextafter_f32 kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.nextafter.f32(%a, %b) : (f32, f32) -> f32
  loop.return %r : f32
}
func.func private @kern.nextafter.f64(f64, f64) -> f64
loop.kernel @nextafter_f64 kind(ufunc) (%a: f64, %b: f64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.nextafter.f64(%a, %b) : (f64, f64) -> f64
  loop.return %r : f64
}
func.func private @kern.pow.f32(f32, f32) -> f32
loop.kernel @pow_f32 kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.pow.f32(%a, %b) : (f32, f32) -> f32
  loop.return %r : f32
}
func.func private @kern.pow.f64(f64, f64) -> f64
loop.kernel @pow_f64 kind(ufunc) (%a: f64, %b: f64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.pow.f64(%a, %b) : (f64, f64) -> f64
  loop.return %r : f64
}
func.func private @kern.sin.f32(f32) -> f32
loop.kernel @sin_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.sin.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.sin.f64(f64) -> f64
loop.kernel @sin_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.sin.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.sinh.f32(f32) -> f32
loop.kernel @sinh_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.sinh.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.sinh.f64(f64) -> f64
loop.kernel @sinh_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.sinh.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.tan.f32(f32) -> f32
loop.kernel @tan_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.tan.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.tan.f64(f64) -> f64
loop.kernel @tan_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.tan.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.tanh.f32(f32) -> f32
loop.kernel @tanh_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.tanh.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.tanh.f64(f64) -> f64
loop.kernel @tanh_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.tanh.f64(%a) : (f64) -> f64
  loop.return %r : f64
}
func.func private @kern.tgamma.f32(f32) -> f32
loop.kernel @tgamma_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.tgamma.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.tgamma.f64(f64) -> f64
loop.kernel @tgamma_f64 kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.tgamma.f64(%a) : (f64) -> f64
  loop.return %r : f64
}

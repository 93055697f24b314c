// Kern's functions of f32 take no f64 on GPUs, most of which have little of it.
// What rare numbers take is called there, and inlined on CPUs, whose loops become
// vectors.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{contiguous=false},kern-emit{as=ptx arch=sm_75})" | FileCheck %s
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm})" | FileCheck %s --check-prefix=HOST

// CHECK-NOT: .f64
// CHECK: .visible .entry tgamma_f32__strided(
// CHECK-NOT: .f64
// CHECK: .visible .entry lgamma_f32__strided(
// CHECK-NOT: .f64
// HOST-NOT: call{{.*}}logGamma

func.func private @kern.tgamma.f32(f32) -> f32
loop.kernel @tgamma_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.tgamma.f32(%a) : (f32) -> f32
  loop.return %r : f32
}
func.func private @kern.lgamma.f32(f32) -> f32
loop.kernel @lgamma_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.lgamma.f32(%a) : (f32) -> f32
  loop.return %r : f32
}

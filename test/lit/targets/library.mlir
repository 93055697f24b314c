// Kern's own functions are linked into the code of both targets, which then
// needs nothing but itself and the target's elementary functions.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{contiguous=false},kern-emit{as=ptx arch=sm_75})" > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas-all %t.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm})" | FileCheck %s --check-prefix=HOST

// CHECK-NOT: .extern
// CHECK-DAG: .visible .entry pow_c64__strided(
// CHECK-DAG: .visible .entry tgamma_f32__strided(
// HOST-NOT: declare {{.*}}@kern_
// HOST-NOT: "target-features"="+ptx
// HOST-DAG: declare {{.*}}double @kern.scalar.exp(double
// HOST-DAG: declare {{.*}}double @kern.scalar.hypot(double
// HOST-NOT: declare {{.*}}@tgamma

func.func private @kern.pow.c64(f32, f32, f32, f32) -> (f32, f32)
loop.kernel @pow_c64 kind(ufunc) (%a: complex<f32>, %b: complex<f32>) -> (complex<f32>)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %ar = complex.re %a : complex<f32>
  %ai = complex.im %a : complex<f32>
  %br = complex.re %b : complex<f32>
  %bi = complex.im %b : complex<f32>
  %r:2 = func.call @kern.pow.c64(%ar, %ai, %br, %bi) : (f32, f32, f32, f32) -> (f32, f32)
  %z = complex.create %r#0, %r#1 : complex<f32>
  loop.return %z : complex<f32>
}
func.func private @kern.tgamma.f32(f32) -> f32
loop.kernel @tgamma_f32 kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %r = func.call @kern.tgamma.f32(%a) : (f32) -> f32
  loop.return %r : f32
}

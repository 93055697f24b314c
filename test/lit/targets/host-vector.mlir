// The contiguous form is a vector loop without a check for overlap (in-place
// calls use it too) and without a rest: no scalar code, no branch in a body.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm})" | FileCheck %s

// CHECK-LABEL: define void @add__contiguous(
// CHECK-NOT: memcheck
// CHECK-COUNT-4: fadd contract <16 x float>
// CHECK-NOT: fadd
// CHECK: ret void
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// CHECK-LABEL: define void @suppress__contiguous(
// CHECK: load <32 x i16>
// CHECK: select <32 x i1>
// CHECK-NOT: br i1 %{{[0-9]}}
// CHECK: ret void
loop.kernel @suppress kind(ufunc) (%a: i16, %t: i16) -> (i16)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i16
  %low = arith.cmpi slt, %a, %t : i16
  cf.cond_br %low, ^done(%zero : i16), ^done(%a : i16)
^done(%c: i16):
  loop.return %c : i16
}

// An elementary function under an `if`: its vector function, and a choice.
// CHECK-LABEL: define void @decay__contiguous(
// CHECK: call <{{[0-9]+}} x float> @_ZGV{{[bde]}}N{{[0-9]+}}v_expf(
// CHECK: select <16 x i1>
// CHECK-NOT: @expf
// CHECK: ret void
func.func private @kern.exp.f32(f32) -> f32
loop.kernel @decay kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %low = arith.cmpf olt, %a, %zero : f32
  cf.cond_br %low, ^grow, ^done(%a : f32)
^grow:
  %r = func.call @kern.exp.f32(%a) : (f32) -> f32
  cf.br ^done(%r : f32)
^done(%c: f32):
  loop.return %c : f32
}

// Complex numbers: their parts are taken apart and put together by shuffles.
// CHECK-LABEL: define void @multiply__contiguous(
// CHECK: shufflevector <32 x float>
// CHECK: fmul contract <16 x float>
// CHECK: store <32 x float>
// CHECK: ret void
loop.kernel @multiply kind(ufunc) (%a: complex<f32>, %b: complex<f32>) -> (complex<f32>)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %ar = complex.re %a : complex<f32>
  %ai = complex.im %a : complex<f32>
  %br = complex.re %b : complex<f32>
  %bi = complex.im %b : complex<f32>
  %x = arith.mulf %ar, %br : f32
  %y = arith.mulf %ai, %bi : f32
  %re = arith.subf %x, %y : f32
  %u = arith.mulf %ar, %bi : f32
  %v = arith.mulf %ai, %br : f32
  %im = arith.addf %u, %v : f32
  %c = complex.create %re, %im : complex<f32>
  loop.return %c : complex<f32>
}

// A loop in the body calls the vector function for all lanes.
// CHECK-LABEL: define void @settle__contiguous(
// CHECK: call <{{[0-9]+}} x double> @_ZGV{{[bde]}}N{{[0-9]+}}v_cos(
// CHECK-NOT: @cos(
// CHECK: ret void
func.func private @kern.cos.f64(f64) -> f64
loop.kernel @settle kind(ufunc) (%x: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  cf.br ^head(%x : f64)
^head(%v: f64):
  %next = func.call @kern.cos.f64(%v) : (f64) -> f64
  %more = arith.cmpf une, %next, %v : f64
  cf.cond_br %more, ^head(%next : f64), ^done
^done:
  loop.return %v : f64
}

// Rounding to bf16 is integer arithmetic: x86's instruction takes subnormal
// numbers for zero.
// CHECK-LABEL: define void @narrow__contiguous(
// CHECK-NOT: fptrunc
// CHECK: add <16 x i32>
// CHECK-NOT: fptrunc
// CHECK: ret void
loop.kernel @narrow kind(ufunc) (%x: f32) -> (bf16)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %y = arith.truncf %x : f32 to bf16
  loop.return %y : bf16
}

// A small kernel that has work on its later inputs alone has a path for an array
// and scalars, in which that work is done once.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-choose-contractions,loop-distribute,loop-to-gpu{strided=false},kern-emit{as=ptx arch=sm_90})" > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas-all %t.ptx

// One product for eight lanes where the second input is a scalar, four where it
// is an array, and one for the elements that are left.
// CHECK-LABEL: .entry scaled__contiguous(
// CHECK-COUNT-6: mul.{{(rn.)?}}f32 {{.*}}, 0f40206C99
// CHECK-NOT: mul.{{(rn.)?}}f32 {{.*}}, 0f40206C99
// CHECK: ret
loop.kernel @scaled kind(ufunc) (%x: f32, %s: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.constant 2.50662827 : f32
  %t = arith.mulf %s, %c : f32
  %r = arith.divf %x, %t : f32
  loop.return %r : f32
}

// Nothing to be done once: a path for arrays alone, one for any inputs, and one
// element.
// CHECK-LABEL: .entry sum__contiguous(
// CHECK-COUNT-9: add.{{(rn.)?}}f32
// CHECK-NOT: add.{{(rn.)?}}f32
// CHECK: ret
loop.kernel @sum kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// Taking complex numbers apart is not work: two products and two sums for
// each of the two elements of an access, and of the one that is left.
// CHECK-LABEL: .entry product__contiguous(
// CHECK-COUNT-6: fma.rn.f32
// CHECK-NOT: fma.rn.f32
// CHECK: ret
loop.kernel @product kind(ufunc) (%a: complex<f32>, %b: complex<f32>)
    -> (complex<f32>)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %ar = complex.re %a : complex<f32>
  %ai = complex.im %a : complex<f32>
  %br = complex.re %b : complex<f32>
  %bi = complex.im %b : complex<f32>
  %rr = arith.mulf %ar, %br : f32
  %ii = arith.mulf %ai, %bi : f32
  %ri = arith.mulf %ar, %bi : f32
  %ir = arith.mulf %ai, %br : f32
  %re = arith.subf %rr, %ii : f32
  %im = arith.addf %ri, %ir : f32
  %c = complex.create %re, %im : complex<f32>
  loop.return %c : complex<f32>
}

// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Complex numbers are computed part by part.

// CHECK-LABEL: loop.kernel @multiply
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: complex.create
kern.func typed ufunc @multiply(%p0: complex<f32>, %p1: complex<f32>) -> complex<f32> {
  %0 = kern.apply multiply(%p0, %p1) : (complex<f32>, complex<f32>) -> complex<f32>
  kern.return %0 : complex<f32>
}

// CHECK-LABEL: loop.kernel @absolute
// CHECK: call @kern.hypot.f32
kern.func typed ufunc @absolute(%p0: complex<f32>) -> f32 {
  %0 = kern.apply absolute(%p0) : (complex<f32>) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @real
// CHECK-NEXT: complex.re %arg0
kern.func typed ufunc @real(%p0: complex<f32>) -> f32 {
  %0 = kern.apply real(%p0) : (complex<f32>) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @imag_of_real
// CHECK-NEXT: arith.constant 0.0
kern.func typed ufunc @imag_of_real(%p0: f32) -> f32 {
  %0 = kern.apply imag(%p0) : (f32) -> f32
  kern.return %0 : f32
}

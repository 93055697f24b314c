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
kern.func ufunc @multiply {
^bb0(%p0: complex<f32>, %p1: complex<f32>):
  %0 = kern.apply "multiply"(%p0, %p1) : (complex<f32>, complex<f32>) -> complex<f32>
  kern.return %0 : complex<f32>
} {dims = [], loops = [], parameters = [#kern.operand<"p0", complex<f32>, [], false, false>, #kern.operand<"p1", complex<f32>, [], false, false>],
   result_types = [complex<f32>], results = [#kern.operand<"r0", complex<f32>, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @absolute
// CHECK: call @kern.hypot.f32
kern.func ufunc @absolute {
^bb0(%p0: complex<f32>):
  %0 = kern.apply "absolute"(%p0) : (complex<f32>) -> f32
  kern.return %0 : f32
} {dims = [], loops = [], parameters = [#kern.operand<"p0", complex<f32>, [], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @real
// CHECK-NEXT: complex.re %arg0
kern.func ufunc @real {
^bb0(%p0: complex<f32>):
  %0 = kern.apply "real"(%p0) : (complex<f32>) -> f32
  kern.return %0 : f32
} {dims = [], loops = [], parameters = [#kern.operand<"p0", complex<f32>, [], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @imag_of_real
// CHECK-NEXT: arith.constant 0.0
kern.func ufunc @imag_of_real {
^bb0(%p0: f32):
  %0 = kern.apply "imag"(%p0) : (f32) -> f32
  kern.return %0 : f32
} {dims = [], loops = [], parameters = [#kern.operand<"p0", f32, [], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [], false, false>],
   type_vars = []}

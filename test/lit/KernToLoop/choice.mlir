// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// maximum and minimum propagate NaN, fmax and fmin ignore it.

// CHECK-LABEL: loop.kernel @maximum
// CHECK-NEXT: arith.maximumf %arg0, %arg1 : f32
kern.func typed ufunc @maximum(%p0: f32, %p1: f32) -> f32 {
  %0 = kern.apply maximum(%p0, %p1) : (f32, f32) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @fmin
// CHECK-NEXT: %[[BOTH:.*]] = arith.minimumf %arg0, %arg1 : f64
// CHECK-NEXT: %[[A:.*]] = arith.cmpf uno, %arg0, %arg0
// CHECK-NEXT: %[[B:.*]] = arith.cmpf uno, %arg1, %arg1
// CHECK-NEXT: %[[REST:.*]] = arith.select %[[B]], %arg0, %[[BOTH]]
// CHECK-NEXT: arith.select %[[A]], %arg1, %[[REST]]
kern.func typed ufunc @fmin(%p0: f64, %p1: f64) -> f64 {
  %0 = kern.apply fmin(%p0, %p1) : (f64, f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @minimum_u8
// CHECK-NEXT: %[[C:.*]] = arith.cmpi ult, %arg0, %arg1
// CHECK-NEXT: arith.select %[[C]], %arg0, %arg1
kern.func typed ufunc @minimum_u8(%p0: ui8, %p1: ui8) -> ui8 {
  %0 = kern.apply minimum(%p0, %p1) : (ui8, ui8) -> ui8
  kern.return %0 : ui8
}

// CHECK-LABEL: loop.kernel @where
// CHECK-NEXT: arith.select %arg0, %arg1, %arg2 : i16
kern.func typed ufunc @where(%p0: i1, %p1: si16, %p2: si16) -> si16 {
  %0 = kern.apply where(%p0, %p1, %p2) : (i1, si16, si16) -> si16
  kern.return %0 : si16
}

// CHECK-LABEL: loop.kernel @clip
// CHECK-NEXT: %[[M:.*]] = arith.maximumf %arg0, %arg1
// CHECK-NEXT: arith.minimumf %[[M]], %arg2
kern.func typed ufunc @clip(%p0: f32, %p1: f32, %p2: f32) -> f32 {
  %0 = kern.apply clip(%p0, %p1, %p2) : (f32, f32, f32) -> f32
  kern.return %0 : f32
}

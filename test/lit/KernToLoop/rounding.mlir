// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Rounding to whole numbers; integers are whole already.

// CHECK-LABEL: loop.kernel @floor
// CHECK-NEXT: math.floor %arg0 : f64
kern.func typed ufunc @floor(%p0: f64) -> f64 {
  %0 = kern.apply floor(%p0) : (f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @ceil
// CHECK-NEXT: math.ceil %arg0 : f64
kern.func typed ufunc @ceil(%p0: f64) -> f64 {
  %0 = kern.apply ceil(%p0) : (f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @trunc
// CHECK-NEXT: math.trunc %arg0 : f64
kern.func typed ufunc @trunc(%p0: f64) -> f64 {
  %0 = kern.apply trunc(%p0) : (f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @rint
// CHECK-NEXT: math.roundeven %arg0 : f64
kern.func typed ufunc @rint(%p0: f64) -> f64 {
  %0 = kern.apply rint(%p0) : (f64) -> f64
  kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @floor_i32
// CHECK-NEXT: loop.return %arg0
kern.func typed ufunc @floor_i32(%p0: si32) -> si32 {
  %0 = kern.apply floor(%p0) : (si32) -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @copysign
// CHECK-NEXT: math.copysign %arg0, %arg1 : f32
kern.func typed ufunc @copysign(%p0: f32, %p1: f32) -> f32 {
  %0 = kern.apply copysign(%p0, %p1) : (f32, f32) -> f32
  kern.return %0 : f32
}

// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// The division instruction meets neither 0 nor MIN // -1; the remainder has the
// divisor's sign.

// CHECK-LABEL: loop.kernel @floor_divide_i32
// CHECK-DAG: %[[ZERO:.*]] = arith.cmpi eq, %arg1, %c0_i32
// CHECK-DAG: %[[MINUS:.*]] = arith.cmpi eq, %arg1, %c-1_i32
// CHECK: %[[BAD:.*]] = arith.ori %[[ZERO]], %[[MINUS]]
// CHECK: %[[D:.*]] = arith.select %[[BAD]], %{{.*}}, %arg1
// CHECK: arith.divsi %arg0, %[[D]]
// CHECK: arith.remsi %arg0, %[[D]]
kern.func typed ufunc @floor_divide_i32(%p0: si32, %p1: si32) -> si32 {
  %0 = kern.apply floor_divide(%p0, %p1) : (si32, si32) -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @remainder_u16
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %arg1, %c0_i16
// CHECK: %[[D:.*]] = arith.select %[[ZERO]], %c1_i16, %arg1
// CHECK: %[[R:.*]] = arith.remui %arg0, %[[D]]
// CHECK: arith.select %[[ZERO]], %c0_i16, %[[R]]
kern.func typed ufunc @remainder_u16(%p0: ui16, %p1: ui16) -> ui16 {
  %0 = kern.apply remainder(%p0, %p1) : (ui16, ui16) -> ui16
  kern.return %0 : ui16
}

// CHECK-LABEL: loop.kernel @divmod_f64 {{.*}} -> (f64, f64)
// CHECK: %[[Q:.*]] = func.call @kern.floor_divide.f64(%arg0, %arg1)
// CHECK: %[[R:.*]] = func.call @kern.remainder.f64(%arg0, %arg1)
// CHECK: loop.return %[[Q]], %[[R]] : f64, f64
kern.func typed ufunc @divmod_f64(%p0: f64, %p1: f64) -> (r0: f64, r1: f64) {
  %0:2 = kern.apply divmod(%p0, %p1) : (f64, f64) -> (f64, f64)
  kern.return %0#0, %0#1 : f64, f64
}

// CHECK-LABEL: loop.kernel @true_divide_f32
// CHECK-NEXT: arith.divf %arg0, %arg1 : f32
kern.func typed ufunc @true_divide_f32(%p0: f32, %p1: f32) -> f32 {
  %0 = kern.apply true_divide(%p0, %p1) : (f32, f32) -> f32
  kern.return %0 : f32
}

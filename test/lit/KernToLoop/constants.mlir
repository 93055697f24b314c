// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Literals in their decided type.

// CHECK-LABEL: loop.kernel @u8
// CHECK-NEXT: arith.constant -56 : i8
kern.func typed ufunc @u8(%p0: ui8) -> ui8 {
  %0 = kern.constant 200 : i128 -> ui8
  kern.return %0 : ui8
}

// CHECK-LABEL: loop.kernel @u64
// CHECK-NEXT: arith.constant -1 : i64
kern.func typed ufunc @u64(%p0: ui64) -> ui64 {
  %0 = kern.constant 18446744073709551615 : i128 -> ui64
  kern.return %0 : ui64
}

// 2^24 + 1, rounded to even.
// CHECK-LABEL: loop.kernel @float_of_integer
// CHECK-NEXT: arith.constant 0x4B800000 : f32
kern.func typed ufunc @float_of_integer(%p0: f32) -> f32 {
  %0 = kern.constant 16777217 : i128 -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @tenth
// CHECK-NEXT: arith.constant 9.997550e-02 : f16
kern.func typed ufunc @tenth(%p0: f16) -> f16 {
  %0 = kern.constant 0.1 : f64 -> f16
  kern.return %0 : f16
}

// CHECK-LABEL: loop.kernel @bool
// CHECK-NEXT: arith.constant true
kern.func typed ufunc @bool(%p0: i1) -> i1 {
  %0 = kern.constant true -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @bool_as_number
// CHECK-NEXT: arith.constant 1 : i32
kern.func typed ufunc @bool_as_number(%p0: si32) -> si32 {
  %0 = kern.constant true -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @complex
// CHECK-DAG: %[[RE:.*]] = arith.constant 1.5{{.*}} : f32
// CHECK-DAG: %[[IM:.*]] = arith.constant -2.0{{.*}} : f32
// CHECK: complex.create %[[RE]], %[[IM]] : complex<f32>
kern.func typed ufunc @complex(%p0: complex<f32>) -> complex<f32> {
  %0 = kern.constant [1.5 : f64, -2.0 : f64] -> complex<f32>
  kern.return %0 : complex<f32>
}

// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Conversions: to integers saturating, between integers wrapping, to narrow floats
// with one rounding.

// CHECK-LABEL: loop.kernel @f32_i8
// CHECK-NEXT: llvm.call_intrinsic "llvm.fptosi.sat"(%arg0) : (f32) -> i8
kern.func typed ufunc @f32_i8(%p0: f32) -> si8 {
  %0 = kern.cast explicit %p0 : f32 to si8 -> si8
  kern.return %0 : si8
}

// CHECK-LABEL: loop.kernel @f16_u64
// CHECK-NEXT: %[[X:.*]] = arith.extf %arg0 : f16 to f32
// CHECK-NEXT: llvm.call_intrinsic "llvm.fptoui.sat"(%[[X]]) : (f32) -> i64
kern.func typed ufunc @f16_u64(%p0: f16) -> ui64 {
  %0 = kern.cast explicit %p0 : f16 to ui64 -> ui64
  kern.return %0 : ui64
}

// CHECK-LABEL: loop.kernel @u32_f32
// CHECK-NEXT: arith.uitofp %arg0 : i32 to f32
kern.func typed ufunc @u32_f32(%p0: ui32) -> f32 {
  %0 = kern.cast explicit %p0 : ui32 to f32 -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @i64_f16
// CHECK-NEXT: %[[X:.*]] = arith.sitofp %arg0 : i64 to f32
// CHECK-NEXT: arith.truncf %[[X]] : f32 to f16
kern.func typed ufunc @i64_f16(%p0: si64) -> f16 {
  %0 = kern.cast explicit %p0 : si64 to f16 -> f16
  kern.return %0 : f16
}

// CHECK-LABEL: loop.kernel @u8_i32
// CHECK-NEXT: arith.extui %arg0 : i8 to i32
kern.func typed ufunc @u8_i32(%p0: ui8) -> si32 {
  %0 = kern.cast explicit %p0 : ui8 to si32 -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @i8_u32
// CHECK-NEXT: arith.extsi %arg0 : i8 to i32
kern.func typed ufunc @i8_u32(%p0: si8) -> ui32 {
  %0 = kern.cast explicit %p0 : si8 to ui32 -> ui32
  kern.return %0 : ui32
}

// CHECK-LABEL: loop.kernel @i32_u32
// CHECK-NEXT: loop.return %arg0 : i32
kern.func typed ufunc @i32_u32(%p0: si32) -> ui32 {
  %0 = kern.cast explicit %p0 : si32 to ui32 -> ui32
  kern.return %0 : ui32
}

// CHECK-LABEL: loop.kernel @i64_bool
// CHECK: arith.cmpi ne, %arg0, %c0_i64
kern.func typed ufunc @i64_bool(%p0: si64) -> i1 {
  %0 = kern.cast explicit %p0 : si64 to i1 -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @bool_f64
// CHECK-NEXT: arith.uitofp %arg0 : i1 to f64
kern.func typed ufunc @bool_f64(%p0: i1) -> f64 {
  %0 = kern.cast explicit %p0 : i1 to f64 -> f64
  kern.return %0 : f64
}

// Rounded to odd in f32 first, so that the second rounding is the only one.
// CHECK-LABEL: loop.kernel @f64_bf16
// CHECK: arith.truncf %arg0 : f64 to f32
// CHECK: %[[ODD:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.truncf %[[ODD]] : f32 to bf16
kern.func typed ufunc @f64_bf16(%p0: f64) -> bf16 {
  %0 = kern.cast explicit %p0 : f64 to bf16 -> bf16
  kern.return %0 : bf16
}

// CHECK-LABEL: loop.kernel @f32_c64
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: complex.create %arg0, %[[ZERO]] : complex<f32>
kern.func typed ufunc @f32_c64(%p0: f32) -> complex<f32> {
  %0 = kern.cast explicit %p0 : f32 to complex<f32> -> complex<f32>
  kern.return %0 : complex<f32>
}

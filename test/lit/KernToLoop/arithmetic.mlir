// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Sums, products and signs; f16 and bf16 compute in f32 and round each result.

// CHECK-LABEL: loop.kernel @add_f32 kind(ufunc) (%arg0: f32, %arg1: f32) -> (f32)
// CHECK-NEXT: %[[R:.*]] = arith.addf %arg0, %arg1 : f32
// CHECK-NEXT: loop.return %[[R]] : f32
kern.func typed ufunc @add_f32(%p0: f32, %p1: f32) -> f32 {
  %0 = kern.apply add(%p0, %p1) : (f32, f32) -> f32
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @add_bool
// CHECK-NEXT: arith.ori %arg0, %arg1 : i1
kern.func typed ufunc @add_bool(%p0: i1, %p1: i1) -> i1 {
  %0 = kern.apply add(%p0, %p1) : (i1, i1) -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @multiply_bool
// CHECK-NEXT: arith.andi %arg0, %arg1 : i1
kern.func typed ufunc @multiply_bool(%p0: i1, %p1: i1) -> i1 {
  %0 = kern.apply multiply(%p0, %p1) : (i1, i1) -> i1
  kern.return %0 : i1
}

// Integers wrap: no overflow flags.
// CHECK-LABEL: loop.kernel @subtract_u8 kind(ufunc) (%arg0: i8, %arg1: i8) -> (i8)
// CHECK-NEXT: %{{.*}} = arith.subi %arg0, %arg1 : i8
kern.func typed ufunc @subtract_u8(%p0: ui8, %p1: ui8) -> ui8 {
  %0 = kern.apply subtract(%p0, %p1) : (ui8, ui8) -> ui8
  kern.return %0 : ui8
}

// CHECK-LABEL: loop.kernel @multiply_f16
// CHECK-DAG: %[[A:.*]] = arith.extf %arg0 : f16 to f32
// CHECK-DAG: %[[B:.*]] = arith.extf %arg1 : f16 to f32
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-NEXT: arith.truncf %[[P]] : f32 to f16
kern.func typed ufunc @multiply_f16(%p0: f16, %p1: f16) -> f16 {
  %0 = kern.apply multiply(%p0, %p1) : (f16, f16) -> f16
  kern.return %0 : f16
}

// CHECK-LABEL: loop.kernel @absolute_u32
// CHECK-NEXT: loop.return %arg0 : i32
kern.func typed ufunc @absolute_u32(%p0: ui32) -> ui32 {
  %0 = kern.apply absolute(%p0) : (ui32) -> ui32
  kern.return %0 : ui32
}

// CHECK-LABEL: loop.kernel @absolute_i32
// CHECK: arith.cmpi slt
// CHECK: arith.select
kern.func typed ufunc @absolute_i32(%p0: si32) -> si32 {
  %0 = kern.apply absolute(%p0) : (si32) -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @fma_f64
// CHECK-NEXT: llvm.call_intrinsic "llvm.fma"(%arg0, %arg1, %arg2)
kern.func typed ufunc @fma_f64(%p0: f64, %p1: f64, %p2: f64) -> f64 {
  %0 = kern.apply fma(%p0, %p1, %p2) : (f64, f64, f64) -> f64
  kern.return %0 : f64
}

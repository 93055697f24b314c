// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Integers compare by value, whatever their types.

// CHECK-LABEL: loop.kernel @i8_u8
// CHECK-DAG: %[[A:.*]] = arith.extsi %arg0 : i8 to i16
// CHECK-DAG: %[[B:.*]] = arith.extui %arg1 : i8 to i16
// CHECK: arith.cmpi slt, %[[A]], %[[B]] : i16
kern.func typed ufunc @i8_u8(%p0: si8, %p1: ui8) -> i1 {
  %0 = kern.apply less(%p0, %p1) : (si8, ui8) -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @i64_u64
// CHECK-DAG: %[[NEGATIVE:.*]] = arith.cmpi slt, %arg0, %c0_i64
// CHECK-DAG: %[[BITS:.*]] = arith.cmpi ult, %arg0, %arg1
// CHECK: arith.select %[[NEGATIVE]], %true, %[[BITS]]
kern.func typed ufunc @i64_u64(%p0: si64, %p1: ui64) -> i1 {
  %0 = kern.apply less(%p0, %p1) : (si64, ui64) -> i1
  kern.return %0 : i1
}

// The other way round a negative number is not the greater one.
// CHECK-LABEL: loop.kernel @u64_i64
// CHECK-DAG: %[[NEGATIVE:.*]] = arith.cmpi slt, %arg1, %c0_i64
// CHECK-DAG: %[[BITS:.*]] = arith.cmpi ugt, %arg1, %arg0
// CHECK: arith.select %[[NEGATIVE]], %false, %[[BITS]]
kern.func typed ufunc @u64_i64(%p0: ui64, %p1: si64) -> i1 {
  %0 = kern.apply less(%p0, %p1) : (ui64, si64) -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @u32_u32
// CHECK-NEXT: arith.cmpi uge, %arg0, %arg1 : i32
kern.func typed ufunc @u32_u32(%p0: ui32, %p1: ui32) -> i1 {
  %0 = kern.apply greater_equal(%p0, %p1) : (ui32, ui32) -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @float_less
// CHECK-NEXT: arith.cmpf olt, %arg0, %arg1 : f32
kern.func typed ufunc @float_less(%p0: f32, %p1: f32) -> i1 {
  %0 = kern.apply less(%p0, %p1) : (f32, f32) -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @float_not_equal
// CHECK-NEXT: arith.cmpf une, %arg0, %arg1 : f32
kern.func typed ufunc @float_not_equal(%p0: f32, %p1: f32) -> i1 {
  %0 = kern.apply not_equal(%p0, %p1) : (f32, f32) -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @logical_and
// CHECK-DAG: %[[A:.*]] = arith.cmpf une, %arg0
// CHECK-DAG: %[[B:.*]] = arith.cmpi ne, %arg1
// CHECK: arith.andi %[[A]], %[[B]] : i1
kern.func typed ufunc @logical_and(%p0: f32, %p1: ui8) -> i1 {
  %0 = kern.apply logical_and(%p0, %p1) : (f32, ui8) -> i1
  kern.return %0 : i1
}

// NaN is true.
// CHECK-LABEL: loop.kernel @truth
// CHECK: arith.cmpf une, %arg0
kern.func typed ufunc @truth(%p0: f64) -> i1 {
  %0 = kern.truth %p0 : f64
  kern.return %0 : i1
}

// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Shifts past the width or by a negative count.

// CHECK-LABEL: loop.kernel @left_shift
// CHECK: %[[PAST:.*]] = arith.cmpi uge, %arg1, %c32_i32
// CHECK: %[[WITHIN:.*]] = arith.andi %arg1, %c31_i32
// CHECK: %[[S:.*]] = arith.shli %arg0, %[[WITHIN]]
// CHECK: arith.select %[[PAST]], %{{.*}}, %[[S]]
kern.func typed ufunc @left_shift(%p0: si32, %p1: si32) -> si32 {
  %0 = kern.apply left_shift(%p0, %p1) : (si32, si32) -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @right_shift_signed
// CHECK: %[[PAST:.*]] = arith.cmpi uge, %arg1, %c8_i8
// CHECK: %[[N:.*]] = arith.select %[[PAST]], %c7_i8, %arg1
// CHECK: arith.shrsi %arg0, %[[N]]
kern.func typed ufunc @right_shift_signed(%p0: si8, %p1: si8) -> si8 {
  %0 = kern.apply right_shift(%p0, %p1) : (si8, si8) -> si8
  kern.return %0 : si8
}

// CHECK-LABEL: loop.kernel @right_shift_unsigned
// CHECK: arith.cmpi uge, %arg1, %c64_i64
// CHECK: arith.shrui
// CHECK: arith.select
kern.func typed ufunc @right_shift_unsigned(%p0: ui64, %p1: ui64) -> ui64 {
  %0 = kern.apply right_shift(%p0, %p1) : (ui64, ui64) -> ui64
  kern.return %0 : ui64
}

// CHECK-LABEL: loop.kernel @invert_bool
// CHECK: %true = arith.constant true
// CHECK: arith.xori %arg0, %true
kern.func typed ufunc @invert_bool(%p0: i1) -> i1 {
  %0 = kern.apply invert(%p0) : (i1) -> i1
  kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @bitwise_count kind(ufunc) (%arg0: i32) -> (i8)
// CHECK: math.ctpop
// CHECK: arith.trunci %{{.*}} : i32 to i8
kern.func typed ufunc @bitwise_count(%p0: si32) -> ui8 {
  %0 = kern.apply bitwise_count(%p0) : (si32) -> ui8
  kern.return %0 : ui8
}

// CHECK-LABEL: loop.kernel @clz kind(ufunc) (%arg0: i8) -> (i32)
// CHECK: llvm.call_intrinsic "llvm.ctlz"(%arg0, %{{.*}})
// CHECK: arith.extui %{{.*}} : i8 to i32
kern.func typed ufunc @clz(%p0: si8) -> si32 {
  %0 = kern.apply clz(%p0) : (si8) -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @mul_high
// CHECK-COUNT-2: arith.extsi %{{.*}} : i64 to i128
// CHECK: arith.muli
// CHECK: arith.shrui
// CHECK: arith.trunci %{{.*}} : i128 to i64
kern.func typed ufunc @mul_high(%p0: si64, %p1: si64) -> si64 {
  %0 = kern.apply mul_high(%p0, %p1) : (si64, si64) -> si64
  kern.return %0 : si64
}

// CHECK-LABEL: loop.kernel @view
// CHECK: %[[BITS:.*]] = arith.bitcast %arg0 : f32 to i32
// CHECK-NOT: arith
// CHECK: loop.return %[[BITS]]
kern.func typed ufunc @view(%p0: f32) -> si32 {
  %0 = kern.bits %p0 : f32 as si32 -> si32
  kern.return %0 : si32
}

// CHECK-LABEL: loop.kernel @gcd
// CHECK: cf.cond_br
// CHECK: arith.remui
// CHECK: loop.return
kern.func typed ufunc @gcd(%p0: ui16, %p1: ui16) -> ui16 {
  %0 = kern.apply gcd(%p0, %p1) : (ui16, ui16) -> ui16
  kern.return %0 : ui16
}

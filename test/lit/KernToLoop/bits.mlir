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

// CHECK-LABEL: loop.kernel @gcd
// CHECK: cf.cond_br
// CHECK: arith.remui
// CHECK: loop.return
kern.func typed ufunc @gcd(%p0: ui16, %p1: ui16) -> ui16 {
  %0 = kern.apply gcd(%p0, %p1) : (ui16, ui16) -> ui16
  kern.return %0 : ui16
}

// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Shifts past the width or by a negative count.

// CHECK-LABEL: loop.kernel @left_shift
// CHECK: %[[PAST:.*]] = arith.cmpi uge, %arg1, %c32_i32
// CHECK: %[[WITHIN:.*]] = arith.andi %arg1, %c31_i32
// CHECK: %[[S:.*]] = arith.shli %arg0, %[[WITHIN]]
// CHECK: arith.select %[[PAST]], %{{.*}}, %[[S]]
kern.func ufunc @left_shift {
^bb0(%p0: si32, %p1: si32):
  %0 = kern.apply "left_shift"(%p0, %p1) : (si32, si32) -> si32
  kern.return %0 : si32
} {dims = [], loops = [], parameters = [#kern.operand<"p0", si32, [], false, false>, #kern.operand<"p1", si32, [], false, false>],
   result_types = [si32], results = [#kern.operand<"r0", si32, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @right_shift_signed
// CHECK: %[[PAST:.*]] = arith.cmpi uge, %arg1, %c8_i8
// CHECK: %[[N:.*]] = arith.select %[[PAST]], %c7_i8, %arg1
// CHECK: arith.shrsi %arg0, %[[N]]
kern.func ufunc @right_shift_signed {
^bb0(%p0: si8, %p1: si8):
  %0 = kern.apply "right_shift"(%p0, %p1) : (si8, si8) -> si8
  kern.return %0 : si8
} {dims = [], loops = [], parameters = [#kern.operand<"p0", si8, [], false, false>, #kern.operand<"p1", si8, [], false, false>],
   result_types = [si8], results = [#kern.operand<"r0", si8, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @right_shift_unsigned
// CHECK: arith.cmpi uge, %arg1, %c64_i64
// CHECK: arith.shrui
// CHECK: arith.select
kern.func ufunc @right_shift_unsigned {
^bb0(%p0: ui64, %p1: ui64):
  %0 = kern.apply "right_shift"(%p0, %p1) : (ui64, ui64) -> ui64
  kern.return %0 : ui64
} {dims = [], loops = [], parameters = [#kern.operand<"p0", ui64, [], false, false>, #kern.operand<"p1", ui64, [], false, false>],
   result_types = [ui64], results = [#kern.operand<"r0", ui64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @invert_bool
// CHECK: %true = arith.constant true
// CHECK: arith.xori %arg0, %true
kern.func ufunc @invert_bool {
^bb0(%p0: i1):
  %0 = kern.apply "invert"(%p0) : (i1) -> i1
  kern.return %0 : i1
} {dims = [], loops = [], parameters = [#kern.operand<"p0", i1, [], false, false>],
   result_types = [i1], results = [#kern.operand<"r0", i1, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @bitwise_count kind(ufunc) (%arg0: i32) -> (i8)
// CHECK: math.ctpop
// CHECK: arith.trunci %{{.*}} : i32 to i8
kern.func ufunc @bitwise_count {
^bb0(%p0: si32):
  %0 = kern.apply "bitwise_count"(%p0) : (si32) -> ui8
  kern.return %0 : ui8
} {dims = [], loops = [], parameters = [#kern.operand<"p0", si32, [], false, false>],
   result_types = [ui8], results = [#kern.operand<"r0", ui8, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @gcd
// CHECK: cf.cond_br
// CHECK: arith.remui
// CHECK: loop.return
kern.func ufunc @gcd {
^bb0(%p0: ui16, %p1: ui16):
  %0 = kern.apply "gcd"(%p0, %p1) : (ui16, ui16) -> ui16
  kern.return %0 : ui16
} {dims = [], loops = [], parameters = [#kern.operand<"p0", ui16, [], false, false>, #kern.operand<"p1", ui16, [], false, false>],
   result_types = [ui16], results = [#kern.operand<"r0", ui16, [], false, false>],
   type_vars = []}

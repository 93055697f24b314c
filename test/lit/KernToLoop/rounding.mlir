// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Rounding to whole numbers; integers are whole already.

// CHECK-LABEL: loop.kernel @floor
// CHECK-NEXT: math.floor %arg0 : f64
kern.func ufunc @floor {
^bb0(%p0: f64):
  %0 = kern.apply "floor"(%p0) : (f64) -> f64
  kern.return %0 : f64
} {dims = [], loops = [], parameters = [#kern.operand<"p0", f64, [], false, false>],
   result_types = [f64], results = [#kern.operand<"r0", f64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @ceil
// CHECK-NEXT: math.ceil %arg0 : f64
kern.func ufunc @ceil {
^bb0(%p0: f64):
  %0 = kern.apply "ceil"(%p0) : (f64) -> f64
  kern.return %0 : f64
} {dims = [], loops = [], parameters = [#kern.operand<"p0", f64, [], false, false>],
   result_types = [f64], results = [#kern.operand<"r0", f64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @trunc
// CHECK-NEXT: math.trunc %arg0 : f64
kern.func ufunc @trunc {
^bb0(%p0: f64):
  %0 = kern.apply "trunc"(%p0) : (f64) -> f64
  kern.return %0 : f64
} {dims = [], loops = [], parameters = [#kern.operand<"p0", f64, [], false, false>],
   result_types = [f64], results = [#kern.operand<"r0", f64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @rint
// CHECK-NEXT: math.roundeven %arg0 : f64
kern.func ufunc @rint {
^bb0(%p0: f64):
  %0 = kern.apply "rint"(%p0) : (f64) -> f64
  kern.return %0 : f64
} {dims = [], loops = [], parameters = [#kern.operand<"p0", f64, [], false, false>],
   result_types = [f64], results = [#kern.operand<"r0", f64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @floor_i32
// CHECK-NEXT: loop.return %arg0
kern.func ufunc @floor_i32 {
^bb0(%p0: si32):
  %0 = kern.apply "floor"(%p0) : (si32) -> si32
  kern.return %0 : si32
} {dims = [], loops = [], parameters = [#kern.operand<"p0", si32, [], false, false>],
   result_types = [si32], results = [#kern.operand<"r0", si32, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @copysign
// CHECK-NEXT: math.copysign %arg0, %arg1 : f32
kern.func ufunc @copysign {
^bb0(%p0: f32, %p1: f32):
  %0 = kern.apply "copysign"(%p0, %p1) : (f32, f32) -> f32
  kern.return %0 : f32
} {dims = [], loops = [], parameters = [#kern.operand<"p0", f32, [], false, false>, #kern.operand<"p1", f32, [], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [], false, false>],
   type_vars = []}

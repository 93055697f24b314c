// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// The kind of a reduction follows the sign of what is reduced.

// CHECK-LABEL: loop.kernel @sum_u64
// CHECK: loop.reduce sum (
kern.func gufunc @sum_u64 {
^bb0(%p0: !kern.array<ui64, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> ui64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <ui64, 1>[si64] -> ui64
      kern.yield %x : ui64
    }
    kern.return %0 : ui64
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", ui64, [["n"]], false, false>],
   result_types = [ui64], results = [#kern.operand<"r0", ui64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @prod_f64
// CHECK: loop.reduce prod (
kern.func gufunc @prod_f64 {
^bb0(%p0: !kern.array<f64, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce prod %zero to %n step %one : si64, si64, si64 -> f64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <f64, 1>[si64] -> f64
      kern.yield %x : f64
    }
    kern.return %0 : f64
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", f64, [["n"]], false, false>],
   result_types = [f64], results = [#kern.operand<"r0", f64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @min_i8
// CHECK: loop.reduce smin (
kern.func gufunc @min_i8 {
^bb0(%p0: !kern.array<si8, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce min %zero to %n step %one : si64, si64, si64 -> si8 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <si8, 1>[si64] -> si8
      kern.yield %x : si8
    }
    kern.return %0 : si8
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", si8, [["n"]], false, false>],
   result_types = [si8], results = [#kern.operand<"r0", si8, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @min_u8
// CHECK: loop.reduce umin (
kern.func gufunc @min_u8 {
^bb0(%p0: !kern.array<ui8, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce min %zero to %n step %one : si64, si64, si64 -> ui8 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <ui8, 1>[si64] -> ui8
      kern.yield %x : ui8
    }
    kern.return %0 : ui8
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", ui8, [["n"]], false, false>],
   result_types = [ui8], results = [#kern.operand<"r0", ui8, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @max_f32
// CHECK: loop.reduce fmax_nan (
kern.func gufunc @max_f32 {
^bb0(%p0: !kern.array<f32, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> f32 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
      kern.yield %x : f32
    }
    kern.return %0 : f32
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", f32, [["n"]], false, false>],
   result_types = [f32], results = [#kern.operand<"r0", f32, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @max_bool
// CHECK: loop.reduce umax (
kern.func gufunc @max_bool {
^bb0(%p0: !kern.array<i1, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> i1 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <i1, 1>[si64] -> i1
      kern.yield %x : i1
    }
    kern.return %0 : i1
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", i1, [["n"]], false, false>],
   result_types = [i1], results = [#kern.operand<"r0", i1, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @any
// CHECK: loop.reduce any (
kern.func gufunc @any {
^bb0(%p0: !kern.array<i1, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce any %zero to %n step %one : si64, si64, si64 -> i1 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <i1, 1>[si64] -> i1
      kern.yield %x : i1
    }
    kern.return %0 : i1
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", i1, [["n"]], false, false>],
   result_types = [i1], results = [#kern.operand<"r0", i1, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @all
// CHECK: loop.reduce all (
kern.func gufunc @all {
^bb0(%p0: !kern.array<i1, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce all %zero to %n step %one : si64, si64, si64 -> i1 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <i1, 1>[si64] -> i1
      kern.yield %x : i1
    }
    kern.return %0 : i1
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", i1, [["n"]], false, false>],
   result_types = [i1], results = [#kern.operand<"r0", i1, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @argmin_i64
// CHECK: loop.reduce arg_smin (
kern.func gufunc @argmin_i64 {
^bb0(%p0: !kern.array<si64, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce argmin %zero to %n step %one : si64, si64, si64 -> si64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <si64, 1>[si64] -> si64
      kern.yield %x : si64
    }
    kern.return %0 : si64
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", si64, [["n"]], false, false>],
   result_types = [si64], results = [#kern.operand<"r0", si64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @argmax_u16
// CHECK: loop.reduce arg_umax (
kern.func gufunc @argmax_u16 {
^bb0(%p0: !kern.array<ui16, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce argmax %zero to %n step %one : si64, si64, si64 -> si64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <ui16, 1>[si64] -> ui16
      kern.yield %x : ui16
    }
    kern.return %0 : si64
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", ui16, [["n"]], false, false>],
   result_types = [si64], results = [#kern.operand<"r0", si64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @argmin_f64
// CHECK: loop.reduce arg_fmin (
kern.func gufunc @argmin_f64 {
^bb0(%p0: !kern.array<f64, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce argmin %zero to %n step %one : si64, si64, si64 -> si64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <f64, 1>[si64] -> f64
      kern.yield %x : f64
    }
    kern.return %0 : si64
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", f64, [["n"]], false, false>],
   result_types = [si64], results = [#kern.operand<"r0", si64, [], false, false>],
   type_vars = []}

// CHECK-LABEL: loop.kernel @sum_c64
// CHECK: loop.reduce sum (
kern.func gufunc @sum_c64 {
^bb0(%p0: !kern.array<complex<f32>, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> complex<f32> {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <complex<f32>, 1>[si64] -> complex<f32>
      kern.yield %x : complex<f32>
    }
    kern.return %0 : complex<f32>
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", complex<f32>, [["n"]], false, false>],
   result_types = [complex<f32>], results = [#kern.operand<"r0", complex<f32>, [], false, false>],
   type_vars = []}

// What is kept is counted in the same loop; what stands for several elements
// and is always kept says so.
// CHECK-LABEL: loop.kernel @counted
// CHECK: %{{.*}}, %[[KEPT:.*]] = loop.reduce sum counted (
// CHECK: loop.yield %{{.*}}, %{{.*}} : f64, i1
// CHECK: loop.reduce sum counted (
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: loop.yield %{{.*}}, %[[TRUE]], %[[KEPT]] : f64, i1, i64
kern.func gufunc @counted {
^bb0(%p0: !kern.array<f64, 1>):
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0, %k = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> f64, si64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <f64, 1>[si64] -> f64
      %keep = kern.truth %x : f64
      kern.yield %x : f64 if %keep
    }
    %1, %l = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> f64, si64 {
    ^bb0(%i: si64):
      kern.yield %0 : f64 of %k : si64
    }
    kern.return %1 : f64
} {dims = ["n"], loops = [], parameters = [#kern.operand<"p0", f64, [["n"]], false, false>],
   result_types = [f64], results = [#kern.operand<"r0", f64, [], false, false>],
   type_vars = []}

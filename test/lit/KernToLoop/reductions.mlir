// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// The kind of a reduction follows the signedness of its elements.

// CHECK-LABEL: loop.kernel @sum_u64
// CHECK: loop.reduce sum (
kern.func typed gufunc @sum_u64(%p0: ui64[n]) -> ui64 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> ui64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <ui64, 1>[si64] -> ui64
      kern.yield %x : ui64
    }
    kern.return %0 : ui64
}

// CHECK-LABEL: loop.kernel @prod_f64
// CHECK: loop.reduce prod (
kern.func typed gufunc @prod_f64(%p0: f64[n]) -> f64 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce prod %zero to %n step %one : si64, si64, si64 -> f64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <f64, 1>[si64] -> f64
      kern.yield %x : f64
    }
    kern.return %0 : f64
}

// CHECK-LABEL: loop.kernel @min_i8
// CHECK: loop.reduce smin (
kern.func typed gufunc @min_i8(%p0: si8[n]) -> si8 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce min %zero to %n step %one : si64, si64, si64 -> si8 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <si8, 1>[si64] -> si8
      kern.yield %x : si8
    }
    kern.return %0 : si8
}

// CHECK-LABEL: loop.kernel @min_u8
// CHECK: loop.reduce umin (
kern.func typed gufunc @min_u8(%p0: ui8[n]) -> ui8 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce min %zero to %n step %one : si64, si64, si64 -> ui8 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <ui8, 1>[si64] -> ui8
      kern.yield %x : ui8
    }
    kern.return %0 : ui8
}

// CHECK-LABEL: loop.kernel @max_f32
// CHECK: loop.reduce fmax_nan (
kern.func typed gufunc @max_f32(%p0: f32[n]) -> f32 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> f32 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
      kern.yield %x : f32
    }
    kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @max_bool
// CHECK: loop.reduce umax (
kern.func typed gufunc @max_bool(%p0: i1[n]) -> i1 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> i1 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <i1, 1>[si64] -> i1
      kern.yield %x : i1
    }
    kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @any
// CHECK: loop.reduce any (
kern.func typed gufunc @any(%p0: i1[n]) -> i1 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce any %zero to %n step %one : si64, si64, si64 -> i1 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <i1, 1>[si64] -> i1
      kern.yield %x : i1
    }
    kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @all
// CHECK: loop.reduce all (
kern.func typed gufunc @all(%p0: i1[n]) -> i1 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce all %zero to %n step %one : si64, si64, si64 -> i1 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <i1, 1>[si64] -> i1
      kern.yield %x : i1
    }
    kern.return %0 : i1
}

// CHECK-LABEL: loop.kernel @argmin_i64
// CHECK: loop.reduce arg_smin (
kern.func typed gufunc @argmin_i64(%p0: si64[n]) -> si64 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce argmin %zero to %n step %one : si64, si64, si64 -> si64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <si64, 1>[si64] -> si64
      kern.yield %x : si64
    }
    kern.return %0 : si64
}

// CHECK-LABEL: loop.kernel @argmax_u16
// CHECK: loop.reduce arg_umax (
kern.func typed gufunc @argmax_u16(%p0: ui16[n]) -> si64 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce argmax %zero to %n step %one : si64, si64, si64 -> si64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <ui16, 1>[si64] -> ui16
      kern.yield %x : ui16
    }
    kern.return %0 : si64
}

// CHECK-LABEL: loop.kernel @argmin_f64
// CHECK: loop.reduce arg_fmin (
kern.func typed gufunc @argmin_f64(%p0: f64[n]) -> si64 {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce argmin %zero to %n step %one : si64, si64, si64 -> si64 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <f64, 1>[si64] -> f64
      kern.yield %x : f64
    }
    kern.return %0 : si64
}

// CHECK-LABEL: loop.kernel @sum_c64
// CHECK: loop.reduce sum (
kern.func typed gufunc @sum_c64(%p0: complex<f32>[n]) -> complex<f32> {
    %zero = kern.constant 0 : i128 -> si64
    %one = kern.constant 1 : i128 -> si64
    %n = kern.dim "n" : si64
    %0 = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> complex<f32> {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <complex<f32>, 1>[si64] -> complex<f32>
      kern.yield %x : complex<f32>
    }
    kern.return %0 : complex<f32>
}

// Kept elements are counted in the same loop; a value for several elements that
// is always kept says how many.
// CHECK-LABEL: loop.kernel @counted
// CHECK: %{{.*}}, %[[KEPT:.*]] = loop.reduce sum counted (
// CHECK: loop.yield %{{.*}}, %{{.*}} : f64, i1
// CHECK: loop.reduce sum counted (
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: loop.yield %{{.*}}, %[[TRUE]], %[[KEPT]] : f64, i1, i64
kern.func typed gufunc @counted(%p0: f64[n]) -> f64 {
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
}

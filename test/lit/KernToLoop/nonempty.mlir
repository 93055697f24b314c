// RUN: %kern-opt --kern-to-loop %s | FileCheck %s

// Extents that have no maximum when they are empty; they are checked at the call.

// CHECK-LABEL: loop.kernel @whole
// CHECK-SAME: nonempty = {{\[\[}}"n"]]
kern.func typed gufunc @whole(%p0: f32[n], %p1: f32[m]) -> f32 {
  %zero = kern.constant 0 : i128 -> si64
  %one = kern.constant 1 : i128 -> si64
  %n = kern.dim "n" : si64
  %m = kern.dim "m" : si64
  %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
    %k = kern.truth %x : f32
    kern.yield %x : f32
  }
  kern.return %0 : f32
}

// n - m + 1 elements from 1 on.
// CHECK-LABEL: loop.kernel @computed
// CHECK-SAME: nonempty = {{\[\[}}"n", "m", "-"]]
kern.func typed gufunc @computed(%p0: f32[n], %p1: f32[m]) -> f32 {
  %zero = kern.constant 0 : i128 -> si64
  %one = kern.constant 1 : i128 -> si64
  %n = kern.dim "n" : si64
  %m = kern.dim "m" : si64
  %d = kern.apply subtract(%n, %m) : (si64, si64) -> si64
  %e = kern.apply add(%d, %one) : (si64, si64) -> si64
  %0 = kern.reduce max %one to %e step %one : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
    %k = kern.truth %x : f32
    kern.yield %x : f32
  }
  kern.return %0 : f32
}

// CHECK-LABEL: loop.kernel @filtered
// CHECK-NOT: nonempty
// CHECK: loop.reduce
kern.func typed gufunc @filtered(%p0: f32[n], %p1: f32[m]) -> f32 {
  %zero = kern.constant 0 : i128 -> si64
  %one = kern.constant 1 : i128 -> si64
  %n = kern.dim "n" : si64
  %m = kern.dim "m" : si64
  %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
    %k = kern.apply isfinite(%x) : (f32) -> i1
    kern.yield %x : f32 if %k
  }
  kern.return %0 : f32
}

// Not on every path.
// CHECK-LABEL: loop.kernel @sometimes
// CHECK-NOT: nonempty
// CHECK: loop.reduce
kern.func typed gufunc @sometimes(%p0: f32[n], %p1: f32[m]) -> f32 {
  %zero = kern.constant 0 : i128 -> si64
  %one = kern.constant 1 : i128 -> si64
  %n = kern.dim "n" : si64
  %m = kern.dim "m" : si64
  %c = kern.apply less(%zero, %n) : (si64, si64) -> i1
  cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
  %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
    %k = kern.truth %x : f32
    kern.yield %x : f32
  }
  kern.return %0 : f32
  ^bb2:
  %z = kern.constant 0.0 : f64 -> f32
  kern.return %z : f32
}

// With no outer iteration the inner extent does not matter.
// CHECK-LABEL: loop.kernel @inside
// CHECK-SAME: nonempty = {{\[\[}}"n", "1", "m", "-", "max"]]
kern.func typed gufunc @inside(%p0: f32[n], %p1: f32[m]) -> f32 {
  %zero = kern.constant 0 : i128 -> si64
  %one = kern.constant 1 : i128 -> si64
  %n = kern.dim "n" : si64
  %m = kern.dim "m" : si64
  "kern.parallel"(%zero, %m, %one) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
  ^bb0(%o: si64):
  %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
    %k = kern.truth %x : f32
    kern.yield %x : f32
  }
  kern.store %0, %p1[%o] : f32, <f32, 1>[si64]
  kern.yield
  }) : (si64, si64, si64) -> ()
  %z = kern.constant 0.0 : f64 -> f32
  kern.return %z : f32
}

// The same in a reduction, which may itself be empty.
// CHECK-LABEL: loop.kernel @nested
// CHECK-SAME: nonempty = {{\[\[}}"n", "1", "m", "-", "max"]]
kern.func typed gufunc @nested(%p0: f32[n], %p1: f32[m]) -> f32 {
  %zero = kern.constant 0 : i128 -> si64
  %one = kern.constant 1 : i128 -> si64
  %n = kern.dim "n" : si64
  %m = kern.dim "m" : si64
  %s = kern.reduce sum %zero to %m step %one : si64, si64, si64 -> f32 {
  ^bb0(%o: si64):
    %0 = kern.reduce max %zero to %n step %one : si64, si64, si64 -> f32 {
    ^bb0(%i: si64):
      %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
      kern.yield %x : f32
    }
    kern.yield %0 : f32
  }
  kern.return %s : f32
}

// A local array that every path makes has no negative extent.
// CHECK-LABEL: loop.kernel @scratch
// CHECK-SAME: nonempty = {{\[\[}}"1", "n", "5", "-", ">=0", "max"]]
kern.func typed gufunc @scratch(%p0: f32[n]) -> f32 {
  %n = kern.dim "n" : si64
  %less = kern.constant -5 : i128 -> si64
  %zero = kern.constant 0 : i128 -> si64
  %x = kern.load %p0[%zero] : <f32, 1>[si64] -> f32
  %k = kern.truth %x : f32
  %size = kern.apply add(%n, %less) : (si64, si64) -> si64
  %other = kern.apply multiply(%n, %less) : (si64, si64) -> si64
  cf.cond_br %k, ^bb1, ^bb2
^bb1:
  %guarded = kern.local "zeros" zeroed of f32 [%other : si64] -> <f32, 1>
  cf.br ^bb2
^bb2:
  %always = kern.local "zeros" zeroed of f32 [%size : si64] -> <f32, 1>
  kern.return %x : f32
}

// Extents that are equal at each call, on whichever path they meet.
// CHECK-LABEL: loop.kernel @same
// CHECK-SAME: nonempty = {{\[\[}}"1", "m", "n", "1", "-", "==", "max"]]
// CHECK-NOT: kern.same_extent
kern.func typed gufunc @same(%p0: f32[m], %p1: f32[n]) -> f32 {
  %m = kern.dim "m" : si64
  %n = kern.dim "n" : si64
  %one = kern.constant 1 : i128 -> si64
  %zero = kern.constant 0 : i128 -> si64
  %less = kern.apply subtract(%n, %one) : (si64, si64) -> si64
  %x = kern.load %p0[%zero] : <f32, 1>[si64] -> f32
  %k = kern.truth %x : f32
  cf.cond_br %k, ^bb1, ^bb2
^bb1:
  kern.same_extent %m, %less : si64, si64
  cf.br ^bb2
^bb2:
  kern.return %x : f32
}

// Extents that constant indices and slices need: on every path, not on one of
// several; the largest of each.
// CHECK-LABEL: loop.kernel @sliced
// CHECK-SAME: least_extents = [{array = "y", axis = 1 : i64, extent = ["n"], least = ["9"], place = "{{[^"]*}}nonempty.mlir:[[#@LINE+14]]:3"},
// CHECK-SAME: {array = "x", axis = 0 : i64, extent = ["m", "2", "-"], least = ["4"], place = "{{[^"]*}}"},
// CHECK-SAME: {array = "z", axis = 0 : i64, extent = ["m", "n", "*"], least = ["6"], place = "{{[^"]*}}"}]
// CHECK-NOT: nonempty =
// CHECK-NOT: kern.least_extent
kern.func typed gufunc @sliced(%p0: f32[m], %p1: f32[n]) -> f32 {
  %m = kern.dim "m" : si64
  %n = kern.dim "n" : si64
  %one = kern.constant 1 : i128 -> si64
  %zero = kern.constant 0 : i128 -> si64
  %less = kern.apply subtract(%m, %one) : (si64, si64) -> si64
  %even = kern.apply subtract(%less, %one) : (si64, si64) -> si64
  %area = kern.apply multiply(%m, %n) : (si64, si64) -> si64
  kern.least_extent %n, 3 of "x" axis 0 : si64
  kern.least_extent %n, 9 of "y" axis 1 : si64
  kern.least_extent %n, 9 of "z" axis 0 : si64
  %x = kern.load %p0[%zero] : <f32, 1>[si64] -> f32
  %k = kern.truth %x : f32
  cf.cond_br %k, ^bb1, ^bb2
^bb1:
  kern.least_extent %n, 99 of "x" axis 0 : si64
  cf.br ^bb2
^bb2:
  kern.least_extent %even, 4 of "x" axis 0 : si64
  kern.least_extent %area, 6 of "z" axis 0 : si64
  kern.return %x : f32
}

// In a loop that may be empty, nothing is needed then.
// CHECK-LABEL: loop.kernel @sliced_rows
// CHECK-SAME: least = ["9", "m", "0", "max", "1", "min", "*"]
kern.func typed gufunc @sliced_rows(%p0: f32[m], %p1: f32[n]) -> f32 {
  %zero = kern.constant 0 : i128 -> si64
  %one = kern.constant 1 : i128 -> si64
  %n = kern.dim "n" : si64
  %m = kern.dim "m" : si64
  %s = kern.reduce sum %zero to %m step %one : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    kern.least_extent %n, 9 of "x" axis 0 : si64
    %x = kern.load %p0[%i] : <f32, 1>[si64] -> f32
    kern.yield %x : f32
  }
  kern.return %s : f32
}

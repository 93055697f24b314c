// RUN: %kern-opt %s | %kern-opt | FileCheck %s
// Every operation but kern.parallel, printed and read back.

// CHECK: kern.func ufunc @scalars {
// CHECK-NEXT: ^bb0(%[[X:.*]]: !kern.open, %[[Y:.*]]: !kern.open):
kern.func ufunc @scalars {
^bb0(%x: !kern.open, %y: !kern.open):
  // CHECK: %[[INT:.*]] = kern.constant 7 : i128 -> !kern.open
  %int = kern.constant 7 : i128 -> !kern.open
  // CHECK: kern.constant 170141183460469231731687303715884105727 : i128 -> !kern.open
  %wide = kern.constant 170141183460469231731687303715884105727 : i128 -> !kern.open
  // CHECK: kern.constant 5.000000e-01 : f64 -> f32
  %half = kern.constant 0.5 : f64 -> f32
  // CHECK: kern.constant true -> i1
  %true = kern.constant true -> i1
  // CHECK: kern.constant [1.000000e+00, 2.000000e+00] -> complex<f64>
  %z = kern.constant [1.0, 2.0] -> complex<f64>
  // CHECK: %[[SUM:.*]] = kern.apply "add"(%[[X]], %[[Y]]) : (!kern.open, !kern.open) -> !kern.open
  %sum = kern.apply "add"(%x, %y) : (!kern.open, !kern.open) -> !kern.open
  // CHECK: %[[Q:.*]]:2 = kern.apply "divmod"(%[[SUM]], %[[INT]]) : (!kern.open, !kern.open) -> (!kern.open, !kern.open)
  %q, %r = kern.apply "divmod"(%sum, %int) : (!kern.open, !kern.open) -> (!kern.open, !kern.open)
  // CHECK: kern.cast explicit %[[Q]]#0 : !kern.open to f32 -> !kern.open
  %single = kern.cast explicit %q : !kern.open to f32 -> !kern.open
  // CHECK: %[[CAST:.*]] = kern.cast same_kind %[[Q]]#1 : !kern.open to "T" -> !kern.open
  %cast = kern.cast same_kind %r : !kern.open to "T" -> !kern.open
  // CHECK: kern.truth %[[CAST]] : !kern.open
  %truth = kern.truth %cast : !kern.open
  // CHECK: kern.type_is "T" in [f32, f64]
  %is = kern.type_is "T" in [f32, f64]
  // CHECK: kern.accumulator %[[CAST]] : !kern.open -> !kern.open
  %carried = kern.accumulator %cast : !kern.open -> !kern.open
  // CHECK: %[[ACC:.*]] = kern.accumulator accumulates %[[CAST]] : !kern.open -> !kern.open
  %acc = kern.accumulator accumulates %cast : !kern.open -> !kern.open
  // CHECK: %[[INDEX:.*]] = kern.index %[[ACC]] : !kern.open -> !kern.open
  %index = kern.index %acc : !kern.open -> !kern.open
  // CHECK: kern.return %[[INDEX]], %[[X]] : !kern.open, !kern.open
  kern.return %index, %x : !kern.open, !kern.open
// CHECK: } {dims = [], doc = "Text.", loops = {{\[\[}}f32], [f64]]
// CHECK-SAME: parameters = [#kern.operand<"x", "T", [], false, false>, #kern.operand<"y", unit, [], false, false>]
// CHECK-SAME: results = [#kern.operand<"p", "T", [], false, false>, #kern.operand<"q", si16, [], false, false>]
// CHECK-SAME: type_vars = ["T"]}
} {dims = [], doc = "Text.", loops = [[f32], [f64]],
   parameters = [#kern.operand<"x", "T", [], false, false>, #kern.operand<"y", unit, [], false, false>],
   results = [#kern.operand<"p", "T", [], false, false>, #kern.operand<"q", si16, [], false, false>],
   type_vars = ["T"]}

// CHECK: kern.func gufunc @arrays {
// CHECK-NEXT: ^bb0(%[[V:.*]]: !kern.array<ui8, 2>, %[[W:.*]]: !kern.array<f32, 1>):
kern.func gufunc @arrays {
^bb0(%v: !kern.array<ui8, 2>, %w: !kern.array<f32, 1>):
  // CHECK: %[[N:.*]] = kern.dim "n" : si64
  %n = kern.dim "n" : si64
  %zero = kern.constant 0 : i128 -> si64
  %one = kern.constant 1 : i128 -> si64
  // CHECK: kern.load %[[V]][%[[ZERO:.*]], %[[ONE:.*]]] : <ui8, 2>[si64, si64] -> ui8
  %x = kern.load %v[%zero, %one] : <ui8, 2>[si64, si64] -> ui8
  // CHECK: %[[SUM:.*]] = kern.reduce sum %[[ZERO]] to %[[N]] step %[[ONE]] : si64, si64, si64 -> f32 {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: si64):
  // CHECK-NEXT: %[[E:.*]] = kern.load %[[W]][%[[I]]] : <f32, 1>[si64] -> f32
  // CHECK-NEXT: %[[KEEP:.*]] = kern.truth %[[E]] : f32
  // CHECK-NEXT: kern.yield %[[E]] : f32 if %[[KEEP]]
  %sum = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> f32 {
  ^bb0(%i: si64):
    %e = kern.load %w[%i] : <f32, 1>[si64] -> f32
    %keep = kern.truth %e : f32
    kern.yield %e : f32 if %keep
  }
  // CHECK: kern.reduce argmin
  // CHECK: kern.yield %{{.*}} : ui8{{$}}
  %first = kern.reduce argmin %zero to %n step %one : si64, si64, si64 -> si64 {
  ^bb0(%i: si64):
    %e = kern.load %v[%i, %zero] : <ui8, 2>[si64, si64] -> ui8
    kern.yield %e : ui8
  }
  // CHECK: %{{.*}}, %[[KEPT:.*]] = kern.reduce sum %{{.*}} -> f32, si64 {
  // CHECK: kern.yield %{{.*}} : f32 if %{{.*}} of %{{.*}} : si64
  %part, %kept = kern.reduce sum %zero to %n step %one : si64, si64, si64 -> f32, si64 {
  ^bb0(%i: si64):
    %e = kern.load %w[%i] : <f32, 1>[si64] -> f32
    %keep = kern.truth %e : f32
    kern.yield %e : f32 if %keep of %i : si64
  }
  // CHECK: kern.store %[[SUM]], %[[W]][%[[ZERO]]] : f32, <f32, 1>[si64]
  kern.store %sum, %w[%zero] : f32, <f32, 1>[si64]
  // CHECK: kern.check_index %[[ONE]] in %[[N]] of "v" axis 0 : si64, si64
  kern.check_index %one in %n of "v" axis 0 : si64, si64
  // CHECK: kern.check_index bound %[[ONE]] in %[[N]] of "v" axis 1 : si64, si64
  kern.check_index bound %one in %n of "v" axis 1 : si64, si64
  // CHECK: kern.check_index from_end %[[ONE]] in %[[N]] of "v" axis 0 : si64, si64
  kern.check_index from_end %one in %n of "v" axis 0 : si64, si64
  %holds = kern.truth %sum : f32
  // CHECK: kern.assert %{{.*}}, "`sum(v)` does not hold"
  kern.assert %holds, "`sum(v)` does not hold"
  // CHECK: kern.return{{$}}
  kern.return
// CHECK: origin = "base"
// CHECK-SAME: #kern.operand<"v", ui8, {{\[\[}}"n", "k", "-", "1", "+"], ["2"]], true, false>, #kern.operand<"k", unit, [], false, true>
// CHECK-SAME: result_types = [f32]
} {dims = ["n", "k"], loops = [[]], origin = "base",
   parameters = [#kern.operand<"v", ui8, [["n", "k", "-", "1", "+"], ["2"]], true, false>, #kern.operand<"k", unit, [], false, true>],
   result_types = [f32], results = [#kern.operand<"w", f32, [["n"]], false, false>], type_vars = []}

// RUN: %kern-opt %s | %kern-opt | FileCheck %s
// RUN: %kern-opt --mlir-print-op-generic %s | %kern-opt | FileCheck %s
// Every operation, printed and read back.

// CHECK: kern.func ufunc @scalars(%[[X:x]]: T, %[[Y:y]]) -> (p: T, q: si16) where T in (f32, f64) attributes {doc = "Text."} {
kern.func ufunc @scalars(%x: T, %y) -> (p: T, q: si16) where T in (f32, f64) attributes {doc = "Text."} {
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
  // CHECK: %[[SUM:.*]] = kern.apply add(%[[X]], %[[Y]]) : (!kern.open, !kern.open) -> !kern.open
  %sum = kern.apply add(%x, %y) : (!kern.open, !kern.open) -> !kern.open
  // CHECK: %[[Q:.*]]:2 = kern.apply divmod(%[[SUM]], %[[INT]]) : (!kern.open, !kern.open) -> (!kern.open, !kern.open)
  %q, %r = kern.apply divmod(%sum, %int) : (!kern.open, !kern.open) -> (!kern.open, !kern.open)
  // CHECK: kern.cast explicit %[[Q]]#0 : !kern.open to f32 -> !kern.open
  %single = kern.cast explicit %q : !kern.open to f32 -> !kern.open
  // CHECK: %[[CAST:.*]] = kern.cast same_kind %[[Q]]#1 : !kern.open to "T" -> !kern.open
  %cast = kern.cast same_kind %r : !kern.open to "T" -> !kern.open
  // CHECK: kern.bits %[[Q]]#0 : !kern.open as si32 -> !kern.open
  %bits = kern.bits %q : !kern.open as si32 -> !kern.open
  // CHECK: kern.bits %[[Q]]#0 : !kern.open like %[[CAST]] : !kern.open -> !kern.open
  %alike = kern.bits %q : !kern.open like %cast : !kern.open -> !kern.open
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
}

// CHECK: kern.func typed gufunc @arrays(inout %[[V:v]]: ui8[n - k + 1, 2], k: dim) -> (%[[W:w]]: f32[n]) of @base {
kern.func typed gufunc @arrays(inout %v: ui8[n - k + 1, 2], k: dim) -> (%w: f32[n]) of @base {
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
  // CHECK: kern.same_extent %[[N]], %[[ONE]] : si64, si64
  kern.same_extent %n, %one : si64, si64
  // CHECK: kern.check_index bound least 9 %[[ONE]] in %[[N]] of "v" axis 1 : si64, si64
  kern.check_index bound least 9 %one in %n of "v" axis 1 : si64, si64
  // CHECK: kern.least_extent %[[N]], 9 of "v" axis 0 : si64
  kern.least_extent %n, 9 of "v" axis 0 : si64
  // CHECK: kern.return{{$}}
  kern.return
}

// CHECK: kern.func gufunc @calls(%[[X:x]]: T, %[[V:v]]: T[n]) -> (_, _) where T in (f32) {
kern.func gufunc @calls(%x: T, %v: T[n]) -> (_, _) where T in (f32) {
  // CHECK: kern.inlined "f()"(){{$}}
  kern.inlined "f()"()
  // CHECK: kern.inlined "f(%, int)"(%[[X]] : !kern.open)
  kern.inlined "f(%, int)"(%x : !kern.open)
  // CHECK: %[[E:.*]]:3 = kern.enter "f"(%[[X]], %[[V]]) : (!kern.open, !kern.array<!kern.open, 1>) -> (!kern.open, !kern.open, !kern.open)
  // CHECK-SAME: {inout = array<i1: false, true>, loops = {{\[\[}}f32], [f64]], parameters = ["U", f64], type_vars = ["U"]}
  %e:3 = kern.enter "f"(%x, %v) : (!kern.open, !kern.array<!kern.open, 1>) -> (!kern.open, !kern.open, !kern.open) {inout = array<i1: false, true>, loops = [[f32], [f64]], parameters = ["U", f64], type_vars = ["U"]}
  // CHECK: %[[L:.*]] = kern.leave %[[E]]#0 from(%[[X]]) : (!kern.open, !kern.open) -> !kern.open
  %l = kern.leave %e#0 from (%x) : (!kern.open, !kern.open) -> !kern.open
  // CHECK: kern.leave %[[E]]#0 from() : (!kern.open) -> !kern.open
  %none = kern.leave %e#0 from () : (!kern.open) -> !kern.open
  // CHECK: %[[C:.*]] = kern.cast_like explicit %[[L]] like %[[E]]#2 : !kern.open, !kern.open -> !kern.open
  %c = kern.cast_like explicit %l like %e#2 : !kern.open, !kern.open -> !kern.open
  // CHECK: kern.type_of_is %[[C]] in [f32, si8] : !kern.open
  %is = kern.type_of_is %c in [f32, si8] : !kern.open
  // CHECK: kern.return %[[C]], %[[X]] : !kern.open, !kern.open
  kern.return %c, %x : !kern.open, !kern.open
}

// CHECK: kern.func typed gufunc @memory() -> (%[[H:h]]: si64[n]) {
kern.func typed gufunc @memory() -> (%h: si64[n]) {
  // CHECK: %[[N:.*]] = kern.dim "n" : si64
  %n = kern.dim "n" : si64
  // CHECK: %[[LOCAL:.*]] = kern.local "sums" zeroed of f32[%[[N]], %[[N]] : si64, si64] -> <f32, 2>
  %local = kern.local "sums" zeroed of f32 [%n, %n : si64, si64] -> <f32, 2>
  // CHECK: kern.local "more" like %[[N]] : si64[%[[N]] : si64] -> <si64, 1>
  %more = kern.local "more" like %n : si64 [%n : si64] -> <si64, 1>
  // CHECK: kern.parallel(%[[N]], %[[N]] : si64, si64) to(%[[N]], %[[N]] : si64, si64) step(%[[N]], %[[N]] : si64, si64) {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: si64, %{{.*}}: si64):
  kern.parallel (%n, %n : si64, si64) to (%n, %n : si64, si64) step (%n, %n : si64, si64) {
  ^bb0(%i: si64, %j: si64):
    // CHECK: kern.accumulate add %[[I]], %[[H]][%[[I]]] : si64, <si64, 1>[si64]
    kern.accumulate add %i, %h[%i] : si64, <si64, 1>[si64]
    // CHECK-NEXT: kern.yield{{$}}
    kern.yield
  }
  kern.return
}

// CHECK: kern.func gufunc @made
kern.func gufunc @made(%v: T[n]) -> (%y: T[n]) where T in (f32) {
  %n = kern.dim "n" : !kern.open
  // CHECK: %[[X:.*]] = kern.load
  %x = kern.load %v[%n] : <!kern.open, 1>[!kern.open] -> !kern.open
  // CHECK: %[[T:.*]] = kern.local "t"[%{{.*}} : !kern.open] -> <!kern.open, 1>
  %t = kern.local "t" [%n : !kern.open] -> <!kern.open, 1>
  // CHECK: kern.element %[[T]] like %[[X]] : <!kern.open, 1>, !kern.open
  kern.element %t like %x : <!kern.open, 1>, !kern.open
  // CHECK: kern.same_type %[[T]], %[[X]] of "t" : <!kern.open, 1>, !kern.open
  kern.same_type %t, %x of "t" : <!kern.open, 1>, !kern.open
  kern.return
}

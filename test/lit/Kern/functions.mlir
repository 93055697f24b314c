// RUN: %kern-opt %s -o %t.mlir && FileCheck %s < %t.mlir
// RUN: %kern-opt %t.mlir | diff %t.mlir -
// RUN: %kern-opt --mlir-print-op-generic %t.mlir | %kern-opt | diff %t.mlir -
// RUN: %kern-opt --mlir-print-debuginfo %t.mlir -o %t.loc && %kern-opt --mlir-print-debuginfo %t.loc | diff %t.loc -
// RUN: %kern-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// Headers are printed as they were read, also through the generic form.

// CHECK: kern.func ufunc @add(%x: T, %y: T) -> T where T in (f32, f64) {
// CHECK-NEXT: kern.return %x : !kern.open
// GENERIC: kind = #kern<kind ufunc>, loops = {{\[\[}}f32], [f64]], parameters = [#kern.operand<x: T>, #kern.operand<y: T>], results = [#kern.operand<"": T>], sym_name = "add", type_vars = ["T"]}>
// GENERIC: ^bb0(%{{.*}}: !kern.open, %{{.*}}: !kern.open):
kern.func ufunc @add(%x: T, %y: T) -> T where T in (f32, f64) {
  kern.return %x : !kern.open
}

// A typed function has its element types and the name of its origin.
// CHECK: kern.func typed ufunc @add__f32_f32(%x: f32, %y: f32) -> f32 of @add {
// CHECK-NEXT: kern.return %x : f32
// GENERIC: loops = [], origin = "add", parameters = [#kern.operand<x: f32>, #kern.operand<y: f32>], results = [#kern.operand<"": f32>], sym_name = "add__f32_f32", type_vars = [], typed}>
// GENERIC: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
kern.func typed ufunc @add__f32_f32(%x: f32, %y: f32) -> f32 of @add {
  kern.return %x : f32
}

// Arrays, sizes and what is written: only arguments have a `%`.
// CHECK: kern.func gufunc @mm(%a: T[m, k], %b: T[k, n?], s: dim, inout %z: si32[m]) -> (%c: T[m, k - 1, n?], d: f64) where T in (f32, f64) {
// GENERIC: optional_dims = ["n"], parameters = [#kern.operand<a: T[m, k]>, #kern.operand<b: T[k, n]>, #kern.operand<s: dim>, #kern.operand<inout z: si32[m]>]
// GENERIC: ^bb0(%{{.*}}: !kern.array<!kern.open, 2>, %{{.*}}: !kern.array<!kern.open, 2>, %{{.*}}: !kern.array<!kern.open, 1>, %{{.*}}: !kern.array<!kern.open, 3>):
kern.func gufunc @mm(%a: T[m, k], %b: T[k, n?], s: dim, inout %z: si32[m]) -> (%c: T[m, k - 1, n?], d: f64) where T in (f32, f64) {
  %0 = kern.constant 1.0 : f64 -> !kern.open
  kern.return %0 : !kern.open
}

// Without annotations; with several results; without any.
// CHECK: kern.func ufunc @generic(%x) -> _ {
kern.func ufunc @generic(%x: _) -> (_) {
  kern.return %x : !kern.open
}
// CHECK: kern.func ufunc @two(%x, %y: si8) -> (_, T) where T in (bf16) {
kern.func ufunc @two(%x, %y: si8) -> (_, T) where T in (bf16) {
  kern.return %x, %y : !kern.open, !kern.open
}
// CHECK: kern.func gufunc @arrays(%v: [n]) -> (%y: [n], q: _) {
kern.func gufunc @arrays(%v: [n]) -> (%y: [n], q: _) {
  %0 = kern.constant 1 : i128 -> !kern.open
  kern.return %0 : !kern.open
}
// CHECK: kern.func gufunc @nothing(inout %v: f32[n]) {
kern.func gufunc @nothing(inout %v: f32[n]) {
  kern.return
}
// CHECK: kern.func gufunc @no_arguments(n: dim) -> f64 {
kern.func gufunc @no_arguments(n: dim) -> f64 {
  %0 = kern.dim "n" : !kern.open
  kern.return %0 : !kern.open
}

// Several variables have rows.
// CHECK: kern.func ufunc @rows(%x: T, %i: I) -> (p: T, q: I) where (T, I) in ((f32, si32), (complex<f64>, i1)) {
kern.func ufunc @rows(%x: T, %i: I) -> (p: T, q: I) where (T, I) in ((f32, si32), (complex<f64>, i1)) {
  kern.return %x, %i : !kern.open, !kern.open
}
// CHECK: kern.func ufunc @one_row(%x: T) -> complex<f32> where T in (ui64) {
kern.func ufunc @one_row(%x: T) -> complex<f32> where (T) in ((ui64)) {
  kern.return %x : !kern.open
}

// Dimensions are expressions; parentheses stay where they are needed.
// CHECK: kern.func gufunc @dims(%x: f64[n, 4]) -> (%y: f64[n - (k - 1) - 2, (n + k) * 2, n * k floordiv 2 mod 3, n * (k floordiv 2), max(n, min(k, 3)) + 1]) {
kern.func gufunc @dims(%x: f64[n, 4]) -> (%y: f64[(n - (k - 1)) - 2, (n + k) * 2, ((n * k) floordiv 2) mod 3, n * (k floordiv 2), max(n, min(k, (3))) + 1]) {
  kern.return
}

// Names that mean something else here, or are not names in assembly.
// CHECK: kern.func typed gufunc @names(%grC3B6C39Fe "gr\C3\B6\C3\9Fe": f32, %a_1: f32, %_1x "1x": f32, "inout": dim, dim: dim, %x: f32["gr\C3\B6\C3\9Fe 2", f32, min, floordiv + mod]) -> (f32: f32, min: f32, "a b": f32) {
// CHECK-NEXT: kern.return %grC3B6C39Fe, %a_1, %_1x : f32, f32, f32
kern.func typed gufunc @names(%p "gr\C3\B6\C3\9Fe": f32, %a_1: f32, %q "1x": f32, "inout": dim, dim: dim, %x: f32["gr\C3\B6\C3\9Fe 2", "f32", "min", floordiv + mod]) -> ("f32": f32, min: f32, "a b": f32) {
  kern.return %p, %a_1, %q : f32, f32, f32
}
// CHECK: kern.func ufunc @variables(%x: index, %y: "f32", %z: "dim", %w: "_") -> ("complex", "complex") where (index, f32, dim, complex, _) in ((f32, f32, f32, f32, f32)) {
kern.func ufunc @variables(%x: index, %y: "f32", %z: "dim", %w: "_") -> ("complex", "": "complex") where (index, f32, dim, complex, _) in ((f32, f32, f32, f32, f32)) {
  kern.return %x, %y : !kern.open, !kern.open
}

// CHECK: kern.func typed ufunc @attributes(%x: f32) -> f32 attributes {doc = "Text.", kern.fastmath} {
kern.func typed ufunc @attributes(%x: f32) -> f32 attributes {doc = "Text.", kern.fastmath} {
  kern.return %x : f32
}

// Dimensions and operands by themselves.
// CHECK: test.dims = [#kern.dim<n>, #kern.dim<3>, #kern.dim<n - (m + 1)>, #kern.dim<min(n, 2) floordiv (m * m)>]
// CHECK-SAME: test.operands = [#kern.operand<x>, #kern.operand<"": T>, #kern.operand<inout "inout": [n]>, #kern.operand<n: dim>, #kern.operand<y: complex<f32>[n * 2]>]
module attributes {
  test.dims = [#kern.dim<n>, #kern.dim<3>, #kern.dim<n - (m + 1)>, #kern.dim<(min("n", 2)) floordiv (m * m)>],
  test.operands = [#kern.operand<x>, #kern.operand<"": T>, #kern.operand<inout "inout": [n]>, #kern.operand<n: dim>, #kern.operand<y: complex<f32>[n * 2]>]
} {}

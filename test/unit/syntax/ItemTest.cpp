//===- ItemTest.cpp - functions, headers, constants, imports --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include <gtest/gtest.h>

namespace kern::compiler::syntax::test {
namespace {

// The first look of the language's description, whole.
TEST(Item, FirstLook) {
  EXPECT_EQ(parseFile(R"py("""Signal helpers."""

const SQRT_2PI = sqrt(2 * pi)

ufunc gaussian_pdf(x: T, mean: T, sigma: T) -> T where T in (f32, f64):
    """Gaussian."""
    return exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)

def polar_to_cartesian(rho, theta):
    return rho * cos(theta), rho * sin(theta)

ufunc zero_suppress(value, threshold):
    if value < threshold:
        result = 0
    else:
        result = value
    return result

gufunc l2_norm(v: T[n]) -> T where T in (f32, f64):
    return sqrt(sum(x ** 2 for x in v))

gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f32, f64):
    for i, j in prange(m, n):
        c[i, j] = sum(a[i, p] * b[p, j] for p in range(k))

gufunc convolve_valid(x: T[n], w: T[k]) -> (y: T[n - k + 1]) where T in floats:
    for i in prange(n - k + 1):
        y[i] = sum(x[i + k - 1 - j] * w[j] for j in range(k))
)py"),
            "'Signal helpers.' "
            "(const SQRT_2PI (call sqrt (* 2 pi))) "
            "(ufunc gaussian_pdf (x:T mean:T sigma:T) -> (T) "
            "where T in (f32) (f64) 'Gaussian.' "
            "{(return (/ (call exp (* (neg 0.5) (** (/ (- x mean) sigma) 2))) "
            "(* sigma SQRT_2PI)))}) "
            "(def polar_to_cartesian (rho theta) "
            "{(return (tuple (* rho (call cos theta)) "
            "(* rho (call sin theta))))}) "
            "(ufunc zero_suppress (value threshold) "
            "{(if (cmp value < threshold) {(= result 0)} {(= result value)}) "
            "(return result)}) "
            "(gufunc l2_norm (v:T[n]) -> (T) where T in (f32) (f64) "
            "{(return (call sqrt (call sum (gen (** x 2) (for x v)))))}) "
            "(gufunc matmul (a:T[m,k] b:T[k,n]) -> (c:T[m,n]) "
            "where T in (f32) (f64) "
            "{(for (tuple i j) (call prange m n) {(= ([] c i j) "
            "(call sum (gen (* ([] a i p) ([] b p j)) "
            "(for p (call range k)))))})}) "
            "(gufunc convolve_valid (x:T[n] w:T[k]) -> (y:T[(+ (- n k) 1)]) "
            "where T in (floats) "
            "{(for i (call prange (+ (- n k) 1)) {(= ([] y i) "
            "(call sum (gen (* ([] x (- (- (+ i k) 1) j)) ([] w j)) "
            "(for j (call range k)))))})})");
}

TEST(Item, Parameters) {
  EXPECT_EQ(parseFile("gufunc f(inout x: T[n], y: [m?, 3], k: dim,): pass"),
            "(gufunc f (inout x:T[n] y:[m?,3] k:dim) {(pass)})");
  EXPECT_EQ(parseFile("def f(inout, where, dim): return inout"),
            "(def f (inout where dim) {(return inout)})");
  EXPECT_EQ(parseFile("ufunc f(\n  x: np.float32,\n  y: f64\n  ): return x"),
            "(ufunc f (x:float32 y:f64) {(return x)})");
  EXPECT_EQ(parseFile("def f(): return 1"), "(def f () {(return 1)})");
}

TEST(Item, Results) {
  EXPECT_EQ(parseFile("ufunc f(x) -> (q: T, r: T): return x, x"),
            "(ufunc f (x) -> (q:T r:T) {(return (tuple x x))})");
  EXPECT_EQ(parseFile("ufunc f(x) -> (T, i32): return x, x"),
            "(ufunc f (x) -> (T i32) {(return (tuple x x))})");
  EXPECT_EQ(parseFile("gufunc f(x: T[n]) -> (y: T[max(n // 2, 1) % 7]): pass"),
            "(gufunc f (x:T[n]) -> (y:T[(% (call max (// n 2) 1) 7)]) "
            "{(pass)})");
}

TEST(Item, Where) {
  EXPECT_EQ(parseFile("ufunc f(x: T, i: I) where T in floats, I in (i32, i64)"
                      ": return x"),
            "(ufunc f (x:T i:I) where T in (floats) where I in (i32) (i64) "
            "{(return x)})");
  EXPECT_EQ(parseFile("ufunc f(x: T, i: I) -> T where (T, I) in ((f32, i32), "
                      "(f64, i64)), U in f32: return x"),
            "(ufunc f (x:T i:I) -> (T) where T I in (f32 i32) (f64 i64) "
            "where U in (f32) {(return x)})");
}

TEST(Item, Declarations) {
  EXPECT_EQ(
      parseFile("ufunc f(x: T) -> T where T in floats:\n    \"A.\"\n    ...\n"),
      "(ufunc f (x:T) -> (T) where T in (floats) 'A.' ... {})");
  EXPECT_EQ(parseFile("ufunc f(x): ...\n"), "(ufunc f (x) ... {})");
}

TEST(Item, DecoratorsAndDocstrings) {
  EXPECT_EQ(parseFile("@fastmath\n@associative(identity=-inf)\n"
                      "ufunc f(x, y):\n    'doc'\n    return x\n"),
            "(ufunc f (x y) @fastmath @associative identity=(neg inf) 'doc' "
            "{(return x)})");
  EXPECT_EQ(parseFile("@fastmath()\nufunc f(x): 'doc'; return x"),
            "(ufunc f (x) @fastmath 'doc' {(return x)})");
}

TEST(Item, Constants) {
  EXPECT_EQ(parseFile("const N = 3\nconst X: f32 = 1.5\nconst P = 1, 2"),
            "(const N 3) (const X:f32 1.5) (const P (tuple 1 2))");
}

TEST(Item, Imports) {
  EXPECT_EQ(parseFile("import math\nimport numpy as np, cmath\n"
                      "from special import erf, erfc as c\n"
                      "from a.b import (\n  c,\n  d,\n)\n"),
            "(import math) (import numpy as np) (import cmath) "
            "(import special erf erfc as c) (import a.b c d)");
}

TEST(Item, SpansAreExact) {
  Parsed parsed("@fastmath\nufunc f(x: T[n]) -> T :\n    return x\n\n");
  ASSERT_EQ(parsed.errors(), "");
  const Item &item = parsed.tree.items.at(0);
  EXPECT_EQ(parsed.sources.text(item.span),
            "@fastmath\nufunc f(x: T[n]) -> T :\n    return x");
  const Function &function = std::get<Function>(item.node);
  EXPECT_EQ(parsed.sources.text(function.header), "ufunc f(x: T[n]) -> T :");
  EXPECT_EQ(parsed.sources.text(function.parameters[0].span), "x: T[n]");
  EXPECT_EQ(parsed.sources.text(function.parameters[0].type->span), "T[n]");
  EXPECT_EQ(parsed.sources.text(function.decorators[0].span), "@fastmath");
}

} // namespace
} // namespace kern::compiler::syntax::test

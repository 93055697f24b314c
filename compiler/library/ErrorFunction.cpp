//===- ErrorFunction.cpp - the complementary error function ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// erfc(x) = e^(-x²) g(t) / (x + 4) for x >= 0, with t = (x - 4) / (x + 4),
// which maps 0 ≤ x < ∞ to -1 ≤ t < 1 as in M. M. Shepherd and J. G.
// Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 ≤ x <
// ∞", Math. Comp. 36 (1981). With x + 4 in place of 1 + 2x one division serves
// for both. g and e^x are minimax polynomials by Sollya's fpminimax; their
// errors are 2^-54 and 2^-58. There is one path for all x.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Primitives.h"

namespace kern::compiler::library {

/// g(t) times 2^-64.
static constexpr double scaledG[] = {
    0x1.18932bf08e154p-64,  -0x1.f3fe31ecb49cp-65,  0x1.8be202d26c742p-65,
    -0x1.14eacb1ad02d9p-65, 0x1.52cac2370f104p-66,  -0x1.645fd8a4bfca8p-67,
    0x1.38dbd2c923542p-68,  -0x1.b00c052a262d3p-70, 0x1.908f470065b4ap-72,
    -0x1.269b572123739p-76, -0x1.dd28394b593f1p-76, 0x1.72cde1706f44ap-77,
    -0x1.e7fd1ba274c79p-83, -0x1.3c754c8f08335p-80, 0x1.3b1efa65572fap-82,
    0x1.7f3747ba784d1p-84,  -0x1.c70c1513df814p-85, -0x1.58a9e28e8aec8p-88,
    0x1.0beca2eea1cf8p-87,  0x1.35dcb5764e6d5p-92,  -0x1.06249adf7b3c5p-90,
    -0x1.22871ec9fa0a1p-94, 0x1.abcf89c8fd8b8p-95};

/// e^x for |x| <= log(2) / 2.
static constexpr double exponential[] = {0x1p0,
                                         0x1p0,
                                         0x1.000000000000bp-1,
                                         0x1.5555555555511p-3,
                                         0x1.555555555029cp-5,
                                         0x1.1111111122326p-7,
                                         0x1.6c16c1852d3c4p-10,
                                         0x1.a01a014761d7bp-13,
                                         0x1.a01997c296aa7p-16,
                                         0x1.71dee61e21325p-19,
                                         0x1.28af4645c86c8p-22,
                                         0x1.ade16d03eeda4p-26};

/// erfc(x) for x >= 0.
static double upperErfc(double x) {
  // From here on it is below half the smallest number. NaN stays.
  constexpr double last = 27.3;
  x = x > last ? last : x;
  // 1 / (x + 4), and what it lacks, relatively.
  double divisor = x + 4, inverse = 1 / divisor;
  double lost = (4 - divisor) + x;
  double lack = fma(-lost, inverse, fma(-divisor, inverse, 1.0));
  double t = fma(-8.0, inverse, 1.0);
  t = fma(-8 * inverse, lack, t);

  // -x² = exponent · log 2 + rest; to the rest goes what all factors lack.
  constexpr double log2e = 1.4426950408889634, roundsToWhole = 0x1.8p52;
  constexpr double ln2High = 0.6931471805598903, ln2Low = 5.497923018708371e-14;
  Double2 square = exactProduct(x, x);
  double sum = fma(square.high, -log2e, roundsToWhole);
  double exponent = sum - roundsToWhole;
  double rest = fma(exponent, -ln2Low, fma(exponent, -ln2High, -square.high));
  rest += lack - square.low;

  // 2^(exponent + 64) is a normal number: only the last product rounds to a
  // subnormal one.
  auto bits = __builtin_bit_cast(unsigned long, sum) + (1023 + 64);
  double power = __builtin_bit_cast(double, bits << 52);
  return power * polynomial(exponential, rest) *
         (polynomial(scaledG, t) * inverse);
}

static double erfc(double x) {
  double upper = upperErfc(abs(x));
  return x < 0 ? 2 - upper : upper;
}

} // namespace kern::compiler::library

extern "C" [[gnu::always_inline]] double kern_erfc_f64(double x) {
  return kern::compiler::library::erfc(x);
}

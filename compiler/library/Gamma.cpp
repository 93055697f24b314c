//===- Gamma.cpp - the gamma function -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Near 1 and 2: polynomials (interpolated at Chebyshev points in 400 bits). Up
// to 12: the recurrence. Above: Stirling's series with a logarithm of twice the
// precision. Below: the recurrence or the reflection formula.
// f32 has formulas of its own (GammaSingle.cpp).
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Reflection.h"

namespace kern::compiler::library {

/// 1 / Γ(1 + r) for |r| <= ½.
static constexpr double reciprocalGamma[] = {1.0,
                                             0.5772156649015329,
                                             -0.6558780715202539,
                                             -0.042002635034096125,
                                             0.16653861138229156,
                                             -0.04219773455549442,
                                             -0.009621971527881249,
                                             0.007218943245407963,
                                             -0.001165167591751475,
                                             -0.0002152416573756392,
                                             0.0001280502809517133,
                                             -2.0134981441846935e-05,
                                             -1.250482594775016e-06,
                                             1.1335732304866775e-06,
                                             -2.0568091364409526e-07,
                                             4.866321072651634e-09,
                                             5.110410405681156e-09};

static constexpr double stirlingFrom = 12;
/// Where Γ(x) overflows, and where it is below half the smallest number.
static constexpr double overflowsFrom = 171.62437695630272;
static constexpr double vanishesFrom = 184;

/// x · y for x with twice the precision.
static Double2 times(Double2 x, double y) {
  Double2 exact = exactProduct(x.high, y);
  return quickSum(exact.high, fma(x.low, y, exact.low));
}

/// log x with twice the precision, for normal positive x.
static Double2 logDouble2(double x) {
  long bits = __builtin_bit_cast(long, x);
  int exponent = int(bits >> 52) - 1023;
  double m =
      __builtin_bit_cast(double, (bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  // 2 artanh s with s = (m - 1) / (m + 1); the first two terms exactly.
  double difference = m - 1;
  Double2 sum = exactSum(m, 1.0);
  double s = difference / sum.high;
  double rest = fma(-s, sum.high, difference) - s * sum.low;
  double low = rest / sum.high;
  Double2 square = exactProduct(s, s);
  square.low = fma(2 * s, low, square.low);
  static constexpr double tail[] = {1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                    1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19,
                                    1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27};
  double further = product(square.high, polynomial(tail, square.high));
  Double2 inner = quickSum(1.0 / 3, further);
  inner.low += 1.850371707708594e-17;
  Double2 cube = times(square, s);
  cube.low = fma(square.high, low, cube.low);
  Double2 second = times(cube, inner.high);
  second.low = fma(cube.high, inner.low, second.low);
  constexpr double ln2High = 0.6931471805598903, ln2Low = 5.497923018708371e-14;
  Double2 large = exactSum(exponent * ln2High, 2 * s);
  Double2 all = exactSum(large.high, 2 * second.high);
  return quickSum(all.high, all.low + large.low + 2 * second.low + 2 * low +
                                exponent * ln2Low);
}

/// log Γ(x) for x >= 12: (x - ½) log x - x + ½ log 2π + 1/12x - … Its absolute
/// error is below the rounding error of a number near 1.
static Double2 stirling(double x) {
  static constexpr double series[] = {
      1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
      1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  double inverse = 1 / x;
  double correction = inverse * polynomial(series, inverse * inverse);
  Double2 logarithm = logDouble2(x);
  Double2 main = times(logarithm, x - 0.5);
  Double2 first = exactSum(main.high, -x);
  Double2 sum = exactSum(first.high, 0.9189385332046728);
  return quickSum(sum.high, sum.low + first.low + main.low + correction -
                                3.8782941580672414e-17);
}

/// (x - 1)(x - 2) … until a factor is at most `limit`. Sets `x` to that factor:
/// |x - 1| <= ½ for least = 1½, |x - 2| <= ½ for 2½.
static Double2 fallingFactors(double &x, double limit) {
  Double2 all = {1, 0};
  while (x > limit) {
    x -= 1;
    all = times(all, x);
  }
  return all;
}

/// x (x + 1) … for negative x, until x is above -½.
static Double2 risingFactors(double &x) {
  Double2 all = {1, 0};
  while (x < -0.5) {
    all = times(all, x);
    x += 1;
  }
  return times(all, x);
}

/// Γ(-y) = -π / (y sin πy Γ(y)) for y >= 12. Scaled by a power of two in
/// between, so that a subnormal is not rounded twice.
static double reflectedGamma(double y) {
  // Positive below an even number, even if the result underflows.
  double below = __builtin_floor(-y);
  bool isOdd = below * 0.5 != __builtin_floor(below * 0.5);
  if (y > vanishesFrom)
    return isOdd ? -0.0 : 0.0;
  Double2 size = stirling(y);
  constexpr double ln2High = 0.6931471805598903, ln2Low = 5.497923018708371e-14;
  Double2 raised = exactSum(-size.high, 256 * ln2High);
  double rest = raised.low - size.low + 256 * ln2Low;
  Double2 sine = timesSine(y);
  double quotient = 1 / sine.high;
  rest += fma(-quotient, sine.high, 1.0) - quotient * sine.low;
  double value = quotient * kern_exp_f64(raised.high);
  value = fma(value, rest, value) * 0x1p-256;
  return isOdd ? -value : value;
}

static double gamma(double x) {
  if (isNan(x) || x == infinity)
    return x;
  if (abs(x) < 1e-100)
    return 1 / x;
  if (x < 0 && x == __builtin_rint(x))
    return nan;
  if (x > overflowsFrom)
    return infinity;
  if (x > stirlingFrom) {
    Double2 size = stirling(x);
    double value = kern_exp_f64(size.high);
    return fma(value, size.low, value);
  }
  if (x < -stirlingFrom)
    return reflectedGamma(-x);
  double at = x;
  if (x > 0.5) {
    Double2 factors = fallingFactors(at, 1.5);
    double reciprocal = polynomial(reciprocalGamma, at - 1);
    double quotient = factors.high / reciprocal;
    return quotient + factors.low / reciprocal;
  }
  Double2 factors = risingFactors(at);
  double reciprocal = polynomial(reciprocalGamma, at);
  Double2 divisor = times(factors, reciprocal);
  double quotient = 1 / divisor.high;
  return fma(-quotient * divisor.low, quotient, quotient);
}

} // namespace kern::compiler::library

using namespace kern::compiler::library;

extern "C" double kern_tgamma_f64(double x) { return gamma(x); }

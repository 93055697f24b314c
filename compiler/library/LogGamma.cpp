//===- LogGamma.cpp - the logarithm of the gamma function -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of f64, without calls, so that the elements of a CPU are lanes of a vector,
// and with three branches for a GPU: from 3 on by Stirling's series, below by
// log Γ(2 + r) / r and Γ(x + 1) = x Γ(x), and for x < -½ by the reflection
// Γ(-a) = -π / (a sin πa Γ(a)). Each needs one logarithm, in two words. Between
// negative whole numbers are zeros, where two large logarithms cancel.
//
// Coefficients are interpolated at Chebyshev points in 50 digits, but the
// sine's, which are minimax (Sollya's fpminimax). Positive numbers have errors
// of up to 2.8 units in the last place.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Reflection.h"

namespace kern::compiler::library {

using Bits = unsigned long;

static double ofBits(Bits bits) { return __builtin_bit_cast(double, bits); }

namespace {
struct Logarithm {
  /// log y less what was to be subtracted.
  Double2 value;
  double reciprocal; ///< 1 / y
};
} // namespace

/// log y - subtracted for finite y > 0, where `subtracted` is 0, or 1 for y >=
/// 3. Zero gives some number.
static Logarithm logarithm(double y, double subtracted) {
  bool isSubnormal = y < 0x1p-1022;
  auto bits = __builtin_bit_cast(Bits, isSubnormal ? y * 0x1p54 : y);
  // The significand m is in [√½, √2).
  int e = (int(bits >> 32) - 0x3fe6a09e) >> 20;
  double m = ofBits(bits - (Bits(e) << 52));
  // As the last bits of a float.
  double exponent = ofBits(0x4338000000000000 + Bits(e)) - 0x1.8p52;
  exponent = isSubnormal ? exponent - 54 : exponent;
  // log m = 2s + s³ P(s²) with s = (m - 1) / (m + 1). One division gives 1 / y
  // too.
  static constexpr double tail[] = {0x1.5555555555558p-1, 0x1.99999999952b2p-2,
                                    0x1.2492492df6947p-2, 0x1.c71c62debf86bp-3,
                                    0x1.7462b69705383p-3, 0x1.39fe208c33448p-3,
                                    0x1.2b5b5fb2ead36p-3};
  double difference = m - 1, sum = m + 1, sumLow = m - (sum - 1);
  double inverse = 1 / (m * sum), ofSum = m * inverse;
  double s = difference * ofSum, square = s * s;
  double left = fma(-s, sumLow, fma(-s, sum, difference));
  double further = fma(product(s, square), polynomial(tail, square),
                       product(2 * left, ofSum));
  // The product with the exponent is exact.
  constexpr double ln2High = 0.6931471805598903, ln2Low = 5.497923018708371e-14;
  Double2 value = quickSum(fma(exponent, ln2High, -subtracted), 2 * s);
  value = quickSum(value.high, value.low + fma(exponent, ln2Low, further));
  double power = ofBits(Bits(1023 - (e < 1000 ? e : 1000)) << 52);
  return {value, sum * inverse * power};
}

/// log |Γ(x)| for finite x > -½.
static Double2 logGammaFromMinusHalf(double x) {
  bool isLarge = x >= 3, isNearZero = x < 0.5, isNearOne = x < 1.25;
  double factor = isNearZero ? abs(fma(x, x, x)) : isNearOne ? x : 1.0;
  auto [log, reciprocal] = logarithm(isLarge ? x : factor, isLarge ? 1.0 : 0.0);
  if (isLarge) {
    // (x - ½) (log x - 1) + ½ (log 2π - 1) + 1/12x - …
    static constexpr double series[] = {
        0x1.5555555555553p-4,   -0x1.6c16c16bf6282p-9, 0x1.a01a00e5622ddp-11,
        -0x1.3813174192cb9p-11, 0x1.b9326a92efa3ep-11, -0x1.f3dd1d89049bbp-10,
        0x1.8f44ea0d22752p-8,   -0x1.7937174466ec5p-6, 0x1.4d21712d2ff06p-4,
        -0x1.a820883c8970cp-3,  0x1.0c1788e47d3dcp-2};
    double before = x - 0.5;
    double correction = fma(polynomial(series, reciprocal * reciprocal),
                            reciprocal, 0.4189385332046727);
    Double2 main = exactProduct(before, log.high);
    return {main.high, main.low + fma(before, log.low, correction)};
  }
  static constexpr double aroundTwo[] = {
      0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa6p-2,   -0x1.13e001a55760bp-4,
      0x1.51322ac7d8417p-6,   -0x1.e404fc218df8cp-8,  0x1.7add6eadbeefap-9,
      -0x1.38ac5c2ca3cd3p-10, 0x1.0b36af84205cap-11,  -0x1.d3fd4c222b382p-13,
      0x1.a127b171bc87dp-14,  -0x1.78de6835ca0f7p-15, 0x1.580dca04ddf2dp-16,
      -0x1.3cbb7327ce648p-17, 0x1.259720e759e0fp-18,  -0x1.11c437115840cp-19,
      0x1.00789d01a011fp-20,  -0x1.e10e95fdbf4e4p-22, 0x1.c50a91b03d472p-23,
      -0x1.b71f6f5ecd24fp-24, 0x1.ae1599b2dd4cp-25,   -0x1.7006ffda55d8ep-26,
      0x1.11b9e46ce4669p-27,  -0x1.5a1abf783804fp-28, 0x1.200fd88bd3e8ap-28,
      -0x1.128d6fa9c0353p-29, 0x1.9c3bc66c7a013p-32};
  double r = isNearZero ? x : isNearOne ? x - 1 : x - 2;
  return {fma(r, polynomial(aroundTwo, r), -log.high), -log.low};
}

static double logGamma(double x) {
  bool isReflected = x < -0.5;
  double a = isReflected ? -x : x;
  Double2 found = logGammaFromMinusHalf(a);
  double result = found.high + found.low, pole = a;
  if (isReflected) {
    Double2 sine = timesSine(a);
    pole = sine.high;
    auto [log, reciprocal] = logarithm(sine.high, 0.0);
    double low = fma(sine.low, reciprocal, log.low);
    result = (-log.high - found.high) - (low + found.low);
  }
  return pole == 0 || found.high == infinity ? infinity : result;
}

} // namespace kern::compiler::library

extern "C" [[gnu::always_inline]] double kern_lgamma_f64(double x) {
  return kern::compiler::library::logGamma(x);
}

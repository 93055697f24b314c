//===- GammaSingle.cpp - the gamma function and its logarithm in f32 ------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In f32 alone, and by the same operations for all positive numbers, so that
// neighbouring elements of a GPU take one path and those of a CPU are lanes of
// a vector. Coefficients are minimax.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Primitives.h"

namespace kern::compiler::library {

static unsigned bitsOf(float x) { return __builtin_bit_cast(unsigned, x); }
static float ofBits(unsigned x) { return __builtin_bit_cast(float, x); }

//===----------------------------------------------------------------------===//
// Γ(x)
//===----------------------------------------------------------------------===//
//
// Γ(n + r) is Γ(n), from a table, times a ratio, for |r| <= ½. So it is as
// exact at whole numbers as the table. With w = n + (r - 1) / 2 the ratio is
// w^r (1 + O(w^-2)), with a series in w^-2 whose coefficients depend on r²
// (J. L. Fields, "A note on the asymptotic expansion of a ratio of gamma
// functions", Proc. Edinburgh Math. Soc. 15 (1966)). Its power of 8 / r is a
// polynomial in v = w² + (1 - r²) / 12 and r², but for O(w^-2), with v⁴ as the
// leading term and none with v³. The others are fitted, for n from 3 on; the
// ratio's relative error is 2^-26.7.
//
// Smaller numbers take Γ(x + k) / (x (x + 1) …), negative ones the reflection
// Γ(-a) = -π / (sin πa Γ(a + 1)). The largest error of all f32 is 3.8 units in
// the last place, 3.6 from -½ on.

static constexpr int fromWhole = 3, scaledFrom = 20, toWhole = 45;

/// Γ(n), from `scaledFrom` on times 2^-64.
static constexpr float gammaOfWhole[64] = {0,
                                           0,
                                           0,
                                           0x1.0000000p1f,
                                           0x1.8000000p2f,
                                           0x1.8000000p4f,
                                           0x1.e000000p6f,
                                           0x1.6800000p9f,
                                           0x1.3b00000p12f,
                                           0x1.3b00000p15f,
                                           0x1.6260000p18f,
                                           0x1.baf8000p21f,
                                           0x1.308a800p25f,
                                           0x1.c8cfc00p28f,
                                           0x1.7328cc0p32f,
                                           0x1.44c3b20p36f,
                                           0x1.3077780p40f,
                                           0x1.3077780p44f,
                                           0x1.437eee0p48f,
                                           0x1.6beecc0p52f,
                                           0x1.b02b940p-8f,
                                           0x1.0e1b3c0p-3f,
                                           0x1.6283be0p1f,
                                           0x1.e775260p5f,
                                           0x1.5e5c340p10f,
                                           0x1.06c5260p15f,
                                           0x1.9a940c0p19f,
                                           0x1.4d984a0p24f,
                                           0x1.19787e0p29f,
                                           0x1.ec92de0p33f,
                                           0x1.be65180p38f,
                                           0x1.a27ec60p43f,
                                           0x1.956ad00p48f,
                                           0x1.956ad00p53f,
                                           0x1.a216280p58f,
                                           0x1.bc378a0p63f,
                                           0x1.e5dcbe0p68f,
                                           0x1.114c2c0p74f,
                                           0x1.3c00120p79f,
                                           0x1.7740160p84f,
                                           0x1.c9561a0p89f,
                                           0x1.1dd5d00p95f,
                                           0x1.6e39f20p100f,
                                           0x1.e0ac0e0p105f,
                                           0x1.42f39a0p111f,
                                           0x1.bc0ef40p116f};

/// Adding it rounds to a whole number, which the sum has in its last bits.
static constexpr float roundsToWhole = 0x1.8p23f;

/// log2 of the ratio to the power of 8 / r is whole + part.
struct Log2 {
  float whole, part;
};

static Log2 log2OfPower(float n, float r) {
  float w = fma(0.5f, r, n - 0.5f), rr = r * r;
  float v = fma(w, w, fma(rr, -0x1.555556p-4f, 0x1.555556p-4f));
  float second = fma(rr, 0x1.af6498p-5f, -0x1.6af8bp-5f);
  float first =
      fma(rr, fma(rr, -0x1.02ed32p-4f, -0x1.1c5ba6p-6f), 0x1.6cacdp-6f);
  float zeroth = fma(rr, 0x1.ffdf84p-5f, -0x1.799a82p-6f);
  float power = fma(fma(fma(v, v, second), v, first), v, zeroth);

  // The significand is in [√½, √2).
  unsigned bits = bitsOf(power), exponent = (bits - 0x3f3504f3) >> 23;
  float f = ofBits(bits - (exponent << 23)) - 1;
  // log2(1 + f) / f
  static constexpr float tail[] = {
      0x1.715474p0f,  -0x1.71551cp-1f, 0x1.ec79acp-2f, -0x1.70e996p-2f,
      0x1.25b724p-2f, -0x1.fc6e9cp-3f, 0x1.e3365cp-3f, -0x1.339c54p-3f};
  // The exponent, which is below 2^23, as the last bits of a float.
  return {ofBits(exponent | 0x4b000000) - 0x1p23f, f * polynomial(tail, f)};
}

/// Γ(n + r) for n from 3 to 45, with the table's scale.
static float gammaFromTable(float n, float r) {
  auto [whole, part] = log2OfPower(n, r);
  // 2^(r/8 · log2), where the whole part of the exponent is taken off first, so
  // that what is left is as exact as a small number.
  float eighth = r * 0.125f;
  float sum = fma(eighth, whole, roundsToWhole), exponent = sum - roundsToWhole;
  float rest = fma(eighth, part, fma(eighth, whole, -exponent));
  // (2^x - 1) / x
  static constexpr float growth[] = {0x1.62e43p-1f,   0x1.ebfbep-3f,
                                     0x1.c6af5ep-5f,  0x1.3b2a2ap-7f,
                                     0x1.5f2494p-10f, 0x1.444a74p-13f};
  float more = rest * polynomial(growth, rest);
  // A NaN reads some entry.
  float ofWhole = gammaOfWhole[bitsOf(n + roundsToWhole) & 63];
  float raised = ofBits(bitsOf(ofWhole) + (bitsOf(sum) << 23));
  return fma(raised, more, raised);
}

/// -sin(πa) / π times `factor`, for a > 0. NaN if a is a whole number.
static float timesMinusSine(float factor, float a) {
  float whole = __builtin_rintf(a), f = a - whole;
  float half = whole * 0.5f;
  bool isOdd = half != __builtin_rintf(half);
  // (sin(πf) / πf - 1) / f², in f².
  static constexpr float sine[] = {-0x1.a51a66p0f, 0x1.9f9ca4p-1f,
                                   -0x1.86a4dcp-3f, 0x1.ab922cp-6f,
                                   -0x1.205e7ep-9f};
  float ff = f * f, tail = f * ff * polynomial(sine, ff);
  float signedF = isOdd ? f : -f, signedTail = isOdd ? tail : -tail;
  float high = fma(factor, signedF, 0.0f);
  float low = fma(factor, signedF, -high);
  float all = high + fma(factor, signedTail, low);
  return a == whole ? float(nan) : all;
}

static float gamma(float x) {
  bool isReflected = x < -0.5f;
  // Beyond 44 all results overflow or vanish.
  constexpr float most = toWhole - 1;
  float size = __builtin_fabsf(x), limited = size > most ? most : size;
  float whole = (limited + roundsToWhole) - roundsToWhole;
  // Γ(m + r), by Γ(n + r) with n of at least 3.
  float r = whole == 0 ? x : limited - whole;
  float m = isReflected ? whole + 1 : whole;
  float n = m > fromWhole ? m : float(fromWhole);
  float found = gammaFromTable(n, r);
  float unscaled = n >= scaledFrom ? 0x1p-64f : 1.0f;
  if (isReflected)
    return (m < 3 ? 1 - x : unscaled) / timesMinusSine(found, size);
  // x, x (x + 1) or x (x + 1) (x + 2), which is -0 for -0.
  float factors = m < 2 ? fma(x, x, x) : x;
  factors = m < 1 ? fma(factors, x, factors + factors) : factors;
  return found / (m < 3 ? __builtin_copysignf(factors, x) : unscaled);
}

//===----------------------------------------------------------------------===//
// log |Γ(x)|
//===----------------------------------------------------------------------===//
//
// Around 1 and 2 by log Γ(2 + r) / r and Γ(x + 1) = x Γ(x), from 3 on by
// Stirling's series. Both need one logarithm, which is kept in two parts. The
// largest error of all f32 is 2.7 units in the last place, and of negative
// numbers 2.3 of the larger of the result and 1.

/// log x = exponent · log 2 + f + rest, for x > 0. Zero gives some number.
struct Logarithm {
  float exponent, f, rest;
};

static Logarithm logarithm(float x) {
  bool isSubnormal = x < 0x1p-126f;
  int bits = __builtin_bit_cast(int, isSubnormal ? x * 0x1p23f : x);
  // The significand is in [√½, √2).
  int exponent = (bits - 0x3f3504f3) >> 23;
  float f = __builtin_bit_cast(float, bits - (exponent << 23)) - 1;
  // (log(1 + f) - f) / f²
  static constexpr float tail[] = {
      -0x1.fffff8p-2f, 0x1.555544p-2f,  -0x1.0003fep-2f,
      0x1.99a96ap-3f,  -0x1.543244p-3f, 0x1.22115ep-3f,
      -0x1.0e842p-3f,  0x1.0a56c8p-3f,  -0x1.40721ap-4f};
  return {float(isSubnormal ? exponent - 23 : exponent), f,
          polynomial(tail, f) * f * f};
}

/// log Γ(x) - (x - ½) (log x - 1) = ½ (log 2π - 1) + 1/12x - … for x >= 3.
static float stirlingCorrection(float x) {
  static constexpr float series[] = {0x1.555544p-4f, -0x1.6b6d48p-9f,
                                     0x1.6d476p-11f};
  float inverse = 1 / x;
  return fma(polynomial(series, inverse * inverse), inverse, 0.41893853f);
}

/// log Γ(2 + r) / r from -¾ to 1.
static constexpr float aroundTwo[] = {
    0x1.b0ee6p-2f,   0x1.4a34ccp-2f,  -0x1.13df9ep-4f,  0x1.5132cp-6f,
    -0x1.e43cep-8f,  0x1.7adc4ap-9f,  -0x1.36105ep-10f, 0x1.08f194p-11f,
    -0x1.e5a2bp-13f, 0x1.d0e3b4p-14f, -0x1.b6c11cp-15f, 0x1.07af9ap-16f};

static constexpr float stirlingFrom = 3;

static float logGammaOfPositive(float x) {
  constexpr float overflowsFrom = 0x1.895f1cp+121f;
  constexpr float ln2 = 0x1.62e43p-1f, ln2Low = -0x1.05c61p-29f;
  bool isLarge = x >= stirlingFrom;
  float factor = x < 0.5f ? fma(x, x, x) : x < 1.25f ? x : 1.0f;
  auto [exponent, f, tail] = logarithm(isLarge ? x : factor);
  float rest = fma(exponent, ln2Low, f + tail), before = x - 0.5f;
  float large = fma(before, fma(exponent, ln2, -1.0f),
                    fma(before, rest, stirlingCorrection(x)));
  float r = x < 0.5f ? x : x < 1.25f ? x - 1 : x - 2;
  float small = fma(r, polynomial(aroundTwo, r), -fma(exponent, ln2, rest));
  return x > overflowsFrom ? float(infinity) : isLarge ? large : small;
}

/// Of zero, negative numbers and NaN: for a > ½, -log(a |sin πa| / π) - log
/// Γ(a). The two cancel near the zeros between whole numbers, so their large
/// parts are exact: products with exponents, and with the logarithms' f.
[[gnu::noinline]] static float logGammaOfOthers(float x) {
  float a = __builtin_fabsf(x);
  bool isNearZero = a < 0.5f, isNearOne = a < 1.25f,
       isLarge = a >= stirlingFrom;
  float factor = isNearZero  ? __builtin_fabsf(fma(x, x, x))
                 : isNearOne ? a
                             : 1.0f;
  float r = isNearZero ? x : isNearOne ? a - 1 : a - 2;
  // log Γ(a) = times (log y - less) + correction.
  Logarithm y = logarithm(isLarge ? a : factor);
  float times = isLarge ? a - 0.5f : -1.0f, less = isLarge ? 1.0f : 0.0f;
  float correction =
      isLarge ? stirlingCorrection(a) : r * polynomial(aroundTwo, r);
  float reflected = timesMinusSine(a, a);
  bool isPole = x == 0 || (!isNearZero && reflected != reflected && a == a);
  Logarithm sine = logarithm(isNearZero ? 1.0f : __builtin_fabsf(reflected));

  // The product of its first part with an exponent is exact.
  constexpr float ln2High = 0x1.62ep-1f, ln2Low = 0x1.0bfbe8p-15f;
  Float2 first = exactProduct(times, fma(y.exponent, ln2High, -less));
  Float2 second = exactProduct(times, y.f);
  Float2 sum = exactSum(first.high, sine.exponent * ln2High);
  Float2 all = exactSum(sum.high, second.high);
  float low = fma(times, fma(y.exponent, ln2Low, y.rest), correction) +
              (fma(sine.exponent, ln2Low, sine.rest) + sine.f);
  low += (first.low + second.low) + (sum.low + all.low);
  float size = all.high + low;
  return isPole ? float(infinity) : isNearZero ? size : -size;
}

} // namespace kern::compiler::library

using namespace kern::compiler::library;

extern "C" [[gnu::always_inline]] float kern_tgamma_f32(float x) {
  return gamma(x);
}
extern "C" [[gnu::always_inline]] float kern_lgamma_f32(float x) {
  return x > 0 ? logGammaOfPositive(x) : logGammaOfOthers(x);
}

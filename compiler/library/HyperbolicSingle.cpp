//===- HyperbolicSingle.cpp - hyperbolic and circular functions of c64 ----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In f32, where both parts are finite and no part of the result can overflow
// before the last product. Other numbers take c128's functions, in a call.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Complex.h"

namespace kern::compiler::library {

namespace {
/// x = whole · log 2 + r: odd = sinh r, even = cosh r - 1, half = 2^(whole -
/// 1), inverseHalf = 2^-(whole + 1).
struct Reduced {
  float odd, even, half, inverseHalf;
};
} // namespace

/// For |x| <= 86: powers of two stay normal.
static Reduced reduced(float x) {
  constexpr float log2e = 0x1.715476p+0f, roundsToWhole = 0x1.8p23f;
  constexpr float ln2High = 0x1.62e43p-1f, ln2Low = -0x1.05c61p-29f;
  float sum = fma(x, log2e, roundsToWhole), whole = sum - roundsToWhole;
  float r = fma(whole, -ln2Low, fma(whole, -ln2High, x)), rr = r * r;
  // Taylor's series, whose next terms are below 2^-27.
  static constexpr float oddTerms[] = {1.0f / 6, 1.0f / 120, 1.0f / 5040};
  static constexpr float evenTerms[] = {0.5f, 1.0f / 24, 1.0f / 720};
  unsigned exponent = __builtin_bit_cast(unsigned, sum) << 23;
  return {fma(r * rr, polynomial(oddTerms, rr), r),
          rr * polynomial(evenTerms, rr),
          __builtin_bit_cast(float, 0x3f000000 + exponent),
          __builtin_bit_cast(float, 0x3f000000 - exponent)};
}

namespace {
struct Hyperbolic {
  float sine, cosine;
};
} // namespace

/// sinh (w log 2 + r) = A cosh r + B sinh r, and cosh the other way round, with
/// A and B = 2^(w - 1) ∓ 2^-(w + 1). For small x A is 0.
static Hyperbolic hyperbolic(float x) {
  Reduced of = reduced(__builtin_fabsf(x));
  float a = of.half - of.inverseHalf, b = of.half + of.inverseHalf;
  float sine = a + fma(a, of.even, b * of.odd);
  float cosine = b + fma(b, of.even, a * of.odd);
  return {__builtin_copysignf(sine, x), cosine};
}

/// The largest exponent, and of tanh, where e^-2|x| stays normal.
static constexpr float longest = 86, longestOfTanh = 43;

static bool isOrdinary(float x, float y, float limit = longest) {
  return __builtin_fabsf(x) <= limit && __builtin_fabsf(y) < float(infinity);
}

[[gnu::noinline]] static Single otherSinh(float x, float y) {
  return rounded(sinh({x, y}));
}
[[gnu::noinline]] static Single otherCosh(float x, float y) {
  return rounded(cosh({x, y}));
}
[[gnu::noinline]] static Single otherTanh(float x, float y) {
  return rounded(tanh({x, y}));
}
[[gnu::noinline]] static Single otherExpm1(float x, float y) {
  return rounded(expm1({x, y}));
}

static Single sinh(float x, float y) {
  if (!isOrdinary(x, y))
    return otherSinh(x, y);
  auto [sine, cosine] = hyperbolic(x);
  return {sine * kern_cos_f32(y), cosine * kern_sin_f32(y)};
}

static Single cosh(float x, float y) {
  if (!isOrdinary(x, y))
    return otherCosh(x, y);
  auto [sine, cosine] = hyperbolic(x);
  return {cosine * kern_cos_f32(y), sine * kern_sin_f32(y)};
}

/// a / b with one rounding, given 1 / b. A zero has any sign.
static float quotient(Float2 a, Float2 b, float inverse) {
  float rough = a.high * inverse;
  float left = fma(-rough, b.high, a.high) + fma(-rough, b.low, a.low);
  return fma(left, inverse, rough);
}

/// As of c128: for larger x in terms of E = e^-2|x|. For smaller x products are
/// in two words, since the errors of four functions add up already.
static Single tanh(float x, float y) {
  float size = __builtin_fabsf(x);
  if (!isOrdinary(x, y, longestOfTanh))
    return otherTanh(x, y);
  float c = kern_cos_f32(y), s = kern_sin_f32(y);
  bool isLarge = size > 1;
  Reduced of = reduced(isLarge ? -2 * size : size);
  float decay = 2 * of.half * (1 + (of.odd + of.even));
  float a = of.half - of.inverseHalf, b = of.half + of.inverseHalf;
  float sine = a + fma(a, of.even, b * of.odd);
  float cosine = b + fma(b, of.even, a * of.odd);
  float square = decay * decay;
  Float2 cc = exactProduct(c, c), sc = exactProduct(s, c);
  float sum = fma(sine, sine, cc.high);
  Float2 divisor = {sum, fma(sine, sine, cc.high - sum) + cc.low};
  Float2 re = exactProduct(sine, cosine), im = sc;
  if (isLarge) {
    divisor = {1 + fma(2 * decay * (c - s), c + s, square), 0};
    re = {1 - square, 0};
    im = {4 * sc.high * decay, 0};
  }
  float inverse = 1 / divisor.high;
  return {__builtin_copysignf(quotient(re, divisor, inverse), x),
          __builtin_copysignf(quotient(im, divisor, inverse), s * c)};
}

/// e^z - 1, with e^x cos y - 1 = (e^x - 1) cos y - (1 - cos y).
static Single expm1(float x, float y) {
  if (!isOrdinary(x, y))
    return otherExpm1(x, y);
  float c = kern_cos_f32(y), s = kern_sin_f32(y);
  Reduced of = reduced(x);
  float power = 2 * of.half, more = of.odd + of.even;
  float less = fma(power, more, power - 1);
  // 1 - cos y without cancellation.
  float versed = c > 0 ? s * s / (1 + c) : 1 - c;
  // A negative square that is too small, or the zero given.
  float re = fma(less, c, -versed), zero = y == 0 ? x : -0.0f;
  return {re == 0 ? zero : re, fma(power, more, power) * s};
}

} // namespace kern::compiler::library

using namespace kern::compiler::library;

#define KERN_DEFINE_COMPLEX_SINGLE(NAME, FUNCTION, X, Y, RE, IM)               \
  extern "C" [[gnu::always_inline]] _Complex float kern_##NAME##_c64(          \
      float re, float im) {                                                    \
    Single w = FUNCTION(X, Y);                                                 \
    return __builtin_complex(w.RE, w.IM);                                      \
  }

KERN_DEFINE_COMPLEX_SINGLE(expm1, expm1, re, im, re, im)
KERN_DEFINE_COMPLEX_SINGLE(sinh, sinh, re, im, re, im)
KERN_DEFINE_COMPLEX_SINGLE(cosh, cosh, re, im, re, im)
KERN_DEFINE_COMPLEX_SINGLE(tanh, tanh, re, im, re, im)
KERN_DEFINE_COMPLEX_SINGLE(sin, sinh, im, re, im, re)
KERN_DEFINE_COMPLEX_SINGLE(cos, cosh, -im, re, re, im)
KERN_DEFINE_COMPLEX_SINGLE(tan, tanh, im, re, im, re)

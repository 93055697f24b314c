//===- ComplexSingle.cpp - logarithms of c64 ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The angle is f32's, and so is the logarithm of the size. Only the square of
// the size is f64: there the squares of f32 are exact, so that it has no
// rounding error to speak of near 1, where the logarithm vanishes, and neither
// overflows nor underflows.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/LogSingle.h"

namespace kern::compiler::library {

namespace {
/// A base of logarithms, by its half of log 2 in two words and of log e.
struct Base {
  float ofTwo, ofTwoLow, ofE;
};
} // namespace

/// ½ log w to a base, given w - 1 as well; w may be 0, infinite or NaN.
static float halfLog(double w, double lessOne, Base base) {
  auto [exponent, rest] = logSingle(w, lessOne);
  float low = fma(exponent, base.ofTwoLow, rest * base.ofE);
  float result = fma(exponent, base.ofTwo, low);
  return w > 0    ? w < infinity ? result : float(infinity)
         : w == 0 ? float(-infinity)
                  : float(nan);
}

static constexpr Base natural = {0x1.62e43p-2f, -0x1.05c61p-30f, 0.5f};

/// log z to a base. The square of the size is infinite if a part is, as in
/// hypot.
static _Complex float logTo(float re, float im, Base base, float perRadian) {
  double x = re, y = im;
  double square = product(x, x), w = fma(y, y, square);
  // One part's square less 1 is exact where the sum is near 1.
  double large = abs(x) > abs(y) ? x : y, small = abs(x) > abs(y) ? y : x;
  double lessOne = fma(small, small, fma(large, large, -1.0));
  w = isInfinite(x) || isInfinite(y) ? infinity : w;
  return __builtin_complex(halfLog(w, lessOne, base),
                           kern_atan2_f32(im, re) * perRadian);
}

/// log (1 + z): |1 + z|² - 1 is x (2 + x) + y².
static _Complex float log1p(float re, float im) {
  double x = re, y = im, next = 1 + x;
  double w = fma(y, y, product(next, next));
  double twice = 2 * x, xx = fma(x, x, twice), low = fma(x, x, twice - xx);
  double lessOne = fma(y, y, xx) + low;
  w = isInfinite(x) || isInfinite(y) ? infinity : w;
  return __builtin_complex(halfLog(w, lessOne, natural),
                           kern_atan2_f32(im, 1 + re));
}

} // namespace kern::compiler::library

using namespace kern::compiler::library;

extern "C" [[gnu::always_inline]] _Complex float kern_log_c64(float re,
                                                              float im) {
  return logTo(re, im, natural, 1.0f);
}

extern "C" [[gnu::always_inline]] _Complex float kern_log2_c64(float re,
                                                               float im) {
  return logTo(re, im, {0.5f, 0.0f, 0x1.715476p-1f}, 0x1.715476p+0f);
}

extern "C" [[gnu::always_inline]] _Complex float kern_log10_c64(float re,
                                                                float im) {
  // Half of log10 2 in two words, and of log10 e.
  return logTo(re, im, {0x1.344136p-3f, -0x1.ec10cp-28f, 0x1.bcb7b2p-3f},
               0x1.bcb7b2p-2f);
}

extern "C" [[gnu::always_inline]] _Complex float kern_log1p_c64(float re,
                                                                float im) {
  return log1p(re, im);
}

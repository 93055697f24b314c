//===- ComplexExponential.cpp - exponentials and hyperbolic functions -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Complex.h"

namespace kern::compiler::library {

/// Beyond this, e^x is computed as a product of two factors: a small cosine may
/// bring the result back into range.
static constexpr double longest = 708.0;
static constexpr double expLongest = 3.0233831442760550e+307;

/// e^x · (c, s) for finite x, also if e^x alone is infinite.
static Complex scaled(double x, double c, double s) {
  if (x > longest) {
    x -= longest;
    c *= expLongest;
    s *= expLongest;
    if (x > longest) {
      x -= longest;
      c *= expLongest;
      s *= expLongest;
    }
  }
  double size = kern_exp_f64(x);
  return {size * c, size * s};
}

/// The special cases of exponentials: a part that is not finite, or y = 0. Sets
/// `isSpecial` if z is one of them.
static Complex specialExp(Complex z, bool &isSpecial) {
  isSpecial = true;
  auto [x, y] = z;
  if (y == 0)
    return {kern_exp_f64(x), y};
  if (x == -infinity && !isFinite(y))
    return {0.0, copysign(0.0, y)};
  if (x == infinity && !isFinite(y))
    return {infinity, nan};
  if (isNan(x) || !isFinite(y))
    return {nan, nan};
  if (isInfinite(x)) {
    double size = x > 0 ? infinity : 0.0;
    return {size * kern_cos_f64(y), size * kern_sin_f64(y)};
  }
  isSpecial = false;
  return z;
}

Complex exp(Complex z) {
  bool isSpecial;
  Complex special = specialExp(z, isSpecial);
  if (isSpecial)
    return special;
  return scaled(z.re, kern_cos_f64(z.im), kern_sin_f64(z.im));
}

static Complex exp2(Complex z) {
  auto [x, y] = z;
  if (y == 0)
    return {kern_exp2_f64(x), y};
  bool isSpecial;
  Complex special = specialExp({x, y * ln2}, isSpecial);
  if (isSpecial)
    return special;
  // Rotate by the low part of the angle.
  auto [angle, rest] = powerAngle(y);
  double c = kern_cos_f64(angle), s = kern_sin_f64(angle);
  double turnedC = fma(-s, rest, c), turnedS = fma(c, rest, s);
  double half = kern_exp2_f64(x * 0.5);
  return {half * turnedC * half, half * turnedS * half};
}

/// e^z - 1, with e^x cos y - 1 = (e^x - 1) cos y - 2 sin²(y/2).
Complex expm1(Complex z) {
  auto [x, y] = z;
  bool isSpecial;
  Complex special = specialExp(z, isSpecial);
  if (y == 0)
    return {kern_expm1_f64(x), y};
  if (isSpecial)
    return {special.re - 1.0, special.im};
  double c = kern_cos_f64(y), s = kern_sin_f64(y);
  Complex plain = scaled(x, c, s);
  if (x > 40)
    return plain;
  double half = kern_sin_f64(y * 0.5);
  return {kern_expm1_f64(x) * c - 2 * half * half, plain.im};
}

Complex sinh(Complex z) {
  auto [x, y] = z;
  if (y == 0)
    return {kern_sinh_f64(x), y};
  if (!isFinite(x)) {
    if (isNan(x))
      return {nan, nan};
    if (!isFinite(y))
      return {infinity, nan};
    return {x * kern_cos_f64(y), infinity * kern_sin_f64(y)};
  }
  if (!isFinite(y))
    return {x == 0 ? x : nan, nan};
  double c = kern_cos_f64(y), s = kern_sin_f64(y);
  if (abs(x) > longest) {
    Complex half = scaled(abs(x), 0.5 * c, 0.5 * s);
    return {copysign(1.0, x) * half.re, half.im};
  }
  return {kern_sinh_f64(x) * c, kern_cosh_f64(x) * s};
}

Complex cosh(Complex z) {
  auto [x, y] = z;
  if (y == 0)
    return {kern_cosh_f64(x), isNan(x) ? y : copysign(1.0, x) * y};
  if (!isFinite(x)) {
    if (isNan(x))
      return {nan, nan};
    if (!isFinite(y))
      return {infinity, nan};
    return {infinity * kern_cos_f64(y), x * kern_sin_f64(y)};
  }
  if (!isFinite(y))
    return {nan, x == 0 ? 0.0 : nan};
  double c = kern_cos_f64(y), s = kern_sin_f64(y);
  if (abs(x) > longest) {
    Complex half = scaled(abs(x), 0.5 * c, 0.5 * s);
    return {half.re, copysign(1.0, x) * half.im};
  }
  return {kern_cosh_f64(x) * c, kern_sinh_f64(x) * s};
}

/// (sinh x cosh x + i sin y cos y) / (sinh² x + cos² y), where no term cancels.
/// For larger x the same in terms of the small E = e^-2|x|, which is 0 for
/// infinite x: (1 - E² + 2i E sin 2y) / (1 + 2 E cos 2y + E²).
Complex tanh(Complex z) {
  auto [x, y] = z;
  if (isNan(x))
    return {nan, y == 0 ? y : nan};
  if (!isFinite(y)) {
    if (isInfinite(x))
      return {copysign(1.0, x), copysign(0.0, y)};
    return {x == 0 ? x : nan, nan};
  }
  double c = kern_cos_f64(y), s = kern_sin_f64(y);
  if (abs(x) > 1) {
    double decay = kern_exp_f64(-2 * abs(x));
    double square = decay * decay;
    double divisor = 1 + (2 * decay * (c - s) * (c + s) + square);
    return {copysign((1 - square) / divisor, x), 4 * s * c * decay / divisor};
  }
  double sh = kern_sinh_f64(x), ch = kern_cosh_f64(x);
  double divisor = fma(sh, sh, c * c);
  return {sh * ch / divisor, s * c / divisor};
}

} // namespace kern::compiler::library

using namespace kern::compiler::library;

KERN_DEFINE_COMPLEX(exp, exp(z))
KERN_DEFINE_COMPLEX(exp2, exp2(z))
KERN_DEFINE_COMPLEX_DOUBLE(expm1, expm1(z))
KERN_DEFINE_COMPLEX_DOUBLE(sinh, sinh(z))
KERN_DEFINE_COMPLEX_DOUBLE(cosh, cosh(z))
KERN_DEFINE_COMPLEX_DOUBLE(tanh, tanh(z))
KERN_DEFINE_COMPLEX_DOUBLE(sin, reversed(sinh(reversed(z))))
KERN_DEFINE_COMPLEX_DOUBLE(cos, cosh(turned(z)))
KERN_DEFINE_COMPLEX_DOUBLE(tan, reversed(tanh(reversed(z))))

//===- ComplexInverse.cpp - inverse trigonometric functions ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arcsine and arccosine by T. E. Hull, T. F. Fairgrieve and P. T. P. Tang,
// "Implementing the complex arcsine and arccosine functions using exception
// handling", ACM TOMS 23 (1997), with its exceptional cases as branches.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Complex.h"

namespace kern::compiler::library {

/// Between these, the square of a part neither overflows nor underflows.
static constexpr double safeLow = 5.966672584960166e-154;
static constexpr double safeHigh = 1.6759759912428242e+153;

namespace {
/// For x + iy in the first quadrant: the real parts of arcsine and arccosine,
/// and the absolute value of their imaginary parts.
struct Arcs {
  double sine, cosine, imaginary;
};
} // namespace

/// For parts too large or too small to square in the regular case.
static Arcs extremeArcs(double x, double y) {
  double fromOne = abs(x - 1);
  if (y < epsilon * fromOne) {
    if (x < 1)
      return {kern_asin_f64(x), kern_acos_f64(x), y / sqrt((1 - x) * (1 + x))};
    if (x <= safeHigh) {
      double root = sqrt((x - 1) * (x + 1));
      return {halfPi, y / root, kern_log1p_f64((x - 1) + root)};
    }
    return {halfPi, y / x, ln2 + kern_log_f64(x)};
  }
  if (y <= safeLow)
    return {halfPi - sqrt(y), sqrt(y), sqrt(y)};
  if (epsilon * y - 1 >= x)
    return {x / y, halfPi, ln2 + kern_log_f64(y)};
  if (x > 1) {
    double ratio = x / y;
    return {kern_atan_f64(ratio), kern_atan_f64(y / x),
            ln2 + kern_log_f64(y) + 0.5 * kern_log1p_f64(ratio * ratio)};
  }
  double root = sqrt(1 + y * y);
  return {x / root, halfPi, 0.5 * kern_log1p_f64(2 * y * (y + root))};
}

static Arcs regularArcs(double x, double y) {
  double r = kern_hypot_f64(x + 1, y), s = kern_hypot_f64(x - 1, y);
  double a = 0.5 * (r + s), b = x / a;
  Arcs arcs;
  if (b <= 0.6417) {
    arcs.sine = kern_asin_f64(b);
    arcs.cosine = kern_acos_f64(b);
  } else if (x <= 1) {
    double root = sqrt(0.5 * (a + x) * (y * y / (r + x + 1) + (s + (1 - x))));
    arcs.sine = kern_atan2_f64(x, root);
    arcs.cosine = kern_atan2_f64(root, x);
  } else {
    double root =
        y * sqrt(0.5 * ((a + x) / (r + x + 1) + (a + x) / (s + (x - 1))));
    arcs.sine = kern_atan2_f64(x, root);
    arcs.cosine = kern_atan2_f64(root, x);
  }
  if (a > 1.5) {
    arcs.imaginary = kern_log_f64(a + sqrt(a * a - 1));
    return arcs;
  }
  double second = x < 1 ? y * y / (s + (1 - x)) : s + (x - 1);
  double aMinusOne = 0.5 * (y * y / (r + (x + 1)) + second);
  arcs.imaginary = kern_log1p_f64(aMinusOne + sqrt(aMinusOne * (a + 1)));
  return arcs;
}

static Arcs arcs(double x, double y) {
  bool isSafe = x > safeLow && x < safeHigh && y > safeLow && y < safeHigh;
  return isSafe ? regularArcs(x, y) : extremeArcs(x, y);
}

Complex asin(Complex z) {
  auto [x, y] = z;
  if (isNan(x) || isNan(y)) {
    if (isInfinite(y))
      return {x, y};
    if (isInfinite(x))
      return {nan, infinity};
    return {x == 0 ? x : nan, nan};
  }
  if (isInfinite(y))
    return {copysign(isInfinite(x) ? halfPi / 2 : 0.0, x), y};
  if (isInfinite(x))
    return {copysign(halfPi, x), copysign(infinity, y)};
  Arcs found = arcs(abs(x), abs(y));
  return {copysign(found.sine, x), copysign(found.imaginary, y)};
}

Complex acos(Complex z) {
  auto [x, y] = z;
  if (isNan(x) || isNan(y)) {
    if (isInfinite(y))
      return {nan, -y};
    if (isInfinite(x))
      return {nan, -infinity};
    return {x == 0 ? halfPi : nan, nan};
  }
  if (isInfinite(y)) {
    double angle = !isInfinite(x) ? halfPi : x > 0 ? pi / 4 : 3 * (pi / 4);
    return {angle, -y};
  }
  if (isInfinite(x))
    return {x > 0 ? 0.0 : pi, copysign(infinity, -y)};
  Arcs found = arcs(abs(x), abs(y));
  return {isNegative(x) ? pi - found.cosine : found.cosine,
          copysign(found.imaginary, -y)};
}

/// acosh z = ±i acos z: its real part is never negative, and its imaginary part
/// has the sign of z's.
Complex acosh(Complex z) {
  Complex w = acos(z);
  if (isNan(w.re) && isNan(w.im))
    return {nan, nan};
  if (isNan(w.re))
    return {abs(w.im), w.re};
  if (isNan(w.im))
    return {abs(w.im), w.re};
  return {abs(w.im), copysign(w.re, z.im)};
}

/// x / (x² + y²) where a part is huge.
static double realOfReciprocal(double x, double y) {
  double large = x > y ? x : y, small = x > y ? y : x;
  double ratio = small / large;
  // Halved, so that the sum does not overflow.
  return 0.5 * (x / large) / (0.5 * large + 0.5 * small * ratio);
}

/// ¼ log1p(4x / ((1 - x)² + y²)) + ½ i atan2(2y, (1 - x)(1 + x) - y²), for
/// x >= 0.
static Complex quadrantAtanh(double x, double y) {
  if (x > 1e16 || y > 1e16)
    return {realOfReciprocal(x, y), halfPi};
  double real;
  if (x == 1 && y < 1e-150)
    real = y == 0 ? infinity : 0.5 * (ln2 - kern_log_f64(y));
  else {
    double off = 1 - x;
    real = 0.25 * kern_log1p_f64(4 * x / (off * off + y * y));
  }
  double imaginary = 0.5 * kern_atan2_f64(2 * y, (1 - x) * (1 + x) - y * y);
  return {real, imaginary};
}

Complex atanh(Complex z) {
  auto [x, y] = z;
  if (isNan(x))
    return {isInfinite(y) ? 0.0 : nan,
            isInfinite(y) ? copysign(halfPi, y) : nan};
  if (isNan(y))
    return {isInfinite(x) || x == 0 ? copysign(0.0, x) : nan, nan};
  if (isInfinite(x) || isInfinite(y))
    return {copysign(0.0, x), copysign(halfPi, y)};
  if (y == 0 && abs(x) <= 1) {
    // The branch point, or the real function.
    double real = abs(x) == 1 ? infinity
                              : 0.5 * kern_log1p_f64(2 * abs(x) / (1 - abs(x)));
    return {copysign(real, x), y};
  }
  Complex found = quadrantAtanh(abs(x), abs(y));
  return {copysign(found.re, x), copysign(found.im, y)};
}

} // namespace kern::compiler::library

using namespace kern::compiler::library;

KERN_DEFINE_COMPLEX_DOUBLE(asin, asin(z))
KERN_DEFINE_COMPLEX_DOUBLE(acos, acos(z))
KERN_DEFINE_COMPLEX_DOUBLE(atan, reversed(atanh(reversed(z))))
KERN_DEFINE_COMPLEX_DOUBLE(asinh, reversed(asin(reversed(z))))
KERN_DEFINE_COMPLEX_DOUBLE(acosh, acosh(z))
KERN_DEFINE_COMPLEX_DOUBLE(atanh, atanh(z))

//===- InverseSingle.cpp - inverse functions of c64 -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arcsine and arccosine by the formulas of T. E. Hull, T. F. Fairgrieve and P.
// T. P. Tang, "Implementing the complex arcsine and arccosine functions using
// exception handling", ACM TOMS 23 (1997), without their cases: in f64, the
// squares of f32 neither overflow nor underflow. The angle and the logarithm
// are f32's. So are those of the hyperbolic arctangent, whose formula is that
// of c128. Numbers that are not finite take c128's functions, in a call.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Complex.h"
#include "compiler/library/LogSingle.h"

namespace kern::compiler::library {

namespace {
/// Of x + iy: the arcsine's real part is the angle of (root, x), the
/// arccosine's that of (x, root), and the imaginary parts have the size
/// `imaginary`.
struct Arcs {
  float root, imaginary;
};
} // namespace

/// Of a finite number, not negative.
static float log1p(double x) {
  auto [exponent, rest] = logSingle(1 + x, x);
  return fma(exponent, 0x1.62e43p-1f, fma(exponent, -0x1.05c61p-29f, rest));
}

static Arcs arcs(float re, float im) {
  double x = abs(double(re)), y = abs(double(im)), yy = y * y;
  double next = x + 1, off = x - 1;
  double r = sqrt(fma(next, next, yy)), s = sqrt(fma(off, off, yy));
  // a = (r + s) / 2. One division for y² / u and y² / p, where p is 0 for 1.
  double a = 0.5 * (r + s), u = r + next, p = s + abs(off);
  double safe = p == 0 ? 1.0 : p, inverse = yy / (u * safe);
  double first = inverse * safe, second = inverse * u;
  bool isInside = x < 1;
  double aLessX = 0.5 * (first + (isInside ? p : second));
  double aLessOne = 0.5 * (first + (isInside ? second : p));
  double grown = aLessOne + sqrt(aLessOne * (a + 1));
  return {float(sqrt((a + x) * aLessX)), log1p(grown)};
}

static bool isOrdinary(float x, float y) {
  return __builtin_fabsf(x) < float(infinity) &&
         __builtin_fabsf(y) < float(infinity);
}

[[gnu::noinline]] static Single otherAsin(float x, float y) {
  return rounded(asin({x, y}));
}
[[gnu::noinline]] static Single otherAcos(float x, float y) {
  return rounded(acos({x, y}));
}
[[gnu::noinline]] static Single otherAcosh(float x, float y) {
  return rounded(acosh({x, y}));
}

static Single asin(float x, float y) {
  if (!isOrdinary(x, y))
    return otherAsin(x, y);
  auto [root, imaginary] = arcs(x, y);
  return {kern_atan2_f32(x, root), __builtin_copysignf(imaginary, y)};
}

static Single acos(float x, float y) {
  if (!isOrdinary(x, y))
    return otherAcos(x, y);
  auto [root, imaginary] = arcs(x, y);
  return {kern_atan2_f32(root, x), __builtin_copysignf(imaginary, -y)};
}

/// acosh z = ±i acos z: its real part is never negative, and its imaginary part
/// has the sign of z's.
static Single acosh(float x, float y) {
  if (!isOrdinary(x, y))
    return otherAcosh(x, y);
  auto [root, imaginary] = arcs(x, y);
  return {imaginary, __builtin_copysignf(kern_atan2_f32(root, x), y)};
}

[[gnu::noinline]] static Single otherAtanh(float x, float y) {
  return rounded(atanh({x, y}));
}

static Single atanh(float re, float im) {
  if (!isOrdinary(re, im))
    return otherAtanh(re, im);
  double x = abs(double(re)), yy = double(im) * im, off = 1 - x;
  double ratio = 4 * x / fma(off, off, yy); // infinite at the branch point
  float real = ratio < infinity ? 0.25f * log1p(ratio) : float(infinity);
  // The angle of both parts' halves: twice `im` might overflow.
  float half = float(0.5 * (fma(-x, x, 1.0) - yy));
  float angle = kern_atan2_f32(im, half);
  return {__builtin_copysignf(real, re), 0.5f * angle};
}

} // namespace kern::compiler::library

using namespace kern::compiler::library;

extern "C" [[gnu::always_inline]] _Complex float kern_atanh_c64(float re,
                                                                float im) {
  Single w = atanh(re, im);
  return __builtin_complex(w.re, w.im);
}

extern "C" [[gnu::always_inline]] _Complex float kern_atan_c64(float re,
                                                               float im) {
  Single w = atanh(im, re);
  return __builtin_complex(w.im, w.re);
}

extern "C" [[gnu::always_inline]] _Complex float kern_asin_c64(float re,
                                                               float im) {
  Single w = asin(re, im);
  return __builtin_complex(w.re, w.im);
}

extern "C" [[gnu::always_inline]] _Complex float kern_asinh_c64(float re,
                                                                float im) {
  Single w = asin(im, re);
  return __builtin_complex(w.im, w.re);
}

extern "C" [[gnu::always_inline]] _Complex float kern_acos_c64(float re,
                                                               float im) {
  Single w = acos(re, im);
  return __builtin_complex(w.re, w.im);
}

extern "C" [[gnu::always_inline]] _Complex float kern_acosh_c64(float re,
                                                                float im) {
  Single w = acosh(re, im);
  return __builtin_complex(w.re, w.im);
}

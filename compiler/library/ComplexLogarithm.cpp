//===- ComplexLogarithm.cpp - logarithms, roots and powers ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Complex.h"

namespace kern::compiler::library {

/// u² + v² - 1 with an error far below one unit in its last place, for
/// u >= v >= 0 and u² + v² between ½ and 3. Near its zero the logarithm
/// vanishes.
static double squaresMinusOne(double u, double v) {
  Double2 uu = exactProduct(u, u), vv = exactProduct(v, v);
  Double2 first = exactSum(uu.high, -1.0);
  Double2 sum = exactSum(first.high, vv.high);
  return sum.high + (sum.low + first.low + uu.low + vv.low);
}

/// log |x + iy|. Infinite and NaN parts are treated as in hypot.
static double logSize(double x, double y) {
  double u = abs(x) > abs(y) ? abs(x) : abs(y);
  double v = abs(x) > abs(y) ? abs(y) : abs(x);
  if (u > 0.5 && u < 1.5 && v < 1.5) {
    double squares = u * u + v * v;
    if (squares > 0.5 && squares < 3)
      return 0.5 * kern_log1p_f64(squaresMinusOne(u, v));
  }
  if (u > 0.25 * largest && isFinite(u))
    return kern_log_f64(kern_hypot_f64(0.25 * u, 0.25 * v)) + 2 * ln2;
  if (u < 1e-290 && u > 0)
    return kern_log_f64(kern_hypot_f64(u * 0x1p100, v * 0x1p100)) - 100 * ln2;
  return kern_log_f64(kern_hypot_f64(x, y));
}

Complex log(Complex z) {
  return {logSize(z.re, z.im), kern_atan2_f64(z.im, z.re)};
}

static Complex logTo(Complex z, double perNat) {
  Complex natural = log(z);
  return {natural.re * perNat, natural.im * perNat};
}

/// log (1 + z): |1 + z|² - 1 is x (2 + x) + y².
static Complex log1p(Complex z) {
  auto [x, y] = z;
  if (y == 0 && x > -1)
    return {kern_log1p_f64(x + 0.0), y};
  double angle = kern_atan2_f64(y, 1 + x);
  if (abs(x) < 0.5 && abs(y) < 1) {
    Double2 twice = exactSum(2.0, x);
    Double2 xx = exactProduct(x, twice.high), yy = exactProduct(y, y);
    Double2 sum = exactSum(xx.high, yy.high);
    double rest = sum.low + xx.low + yy.low + x * twice.low;
    return {0.5 * kern_log1p_f64(sum.high + rest), angle};
  }
  return {logSize(1 + x, y), angle};
}

Complex sqrt(Complex z) {
  auto [x, y] = z;
  if (x == 0 && y == 0)
    return {0.0, y};
  if (isInfinite(y))
    return {infinity, y};
  if (isNan(x))
    return {nan, nan};
  if (isInfinite(x)) {
    double other = isNan(y) ? nan : 0.0;
    if (x > 0)
      return {x, isNan(y) ? nan : copysign(0.0, y)};
    return {other, copysign(infinity, y)};
  }
  if (isNan(y))
    return {nan, nan};
  // Scale by a power of four, so that the squares of both parts are safe.
  double back = 1.0;
  double large = abs(x) > abs(y) ? abs(x) : abs(y);
  if (large > 0.125 * largest) {
    x *= 0x1p-4;
    y *= 0x1p-4;
    back = 0x1p2;
  } else if (large < 0x1p-968) {
    x *= 0x1p108;
    y *= 0x1p108;
    back = 0x1p-54;
  }
  double root = sqrt(0.5 * (abs(x) + kern_hypot_f64(x, y)));
  double other = abs(y) / (2 * root);
  if (x >= 0)
    return {back * root, copysign(back * other, y)};
  return {back * other, copysign(back * root, y)};
}

[[gnu::noinline]] static Complex logOfOthers(Complex z) { return log(z); }

static Complex times(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// A number with an infinite part becomes a corner or the middle of a side of a
/// square of side 2. Otherwise NaN parts become 0.
static Complex direction(Complex z) {
  bool isHuge = isInfinite(z.re) || isInfinite(z.im);
  auto part = [&](double x) {
    if (isHuge)
      return copysign(isInfinite(x) ? 1.0 : 0.0, x);
    return isNan(x) ? copysign(0.0, x) : x;
  };
  return {part(z.re), part(z.im)};
}

/// The product with Annex G's rule: an infinite factor makes the product
/// infinite.
static Complex timesWithInfinities(Complex a, Complex b) {
  Complex plain = times(a, b);
  if (!isNan(plain.re) || !isNan(plain.im))
    return plain;
  bool isHuge = isInfinite(a.re) || isInfinite(a.im) || isInfinite(b.re) ||
                isInfinite(b.im);
  bool overflows = isInfinite(a.re * b.re) || isInfinite(a.im * b.im) ||
                   isInfinite(a.re * b.im) || isInfinite(a.im * b.re);
  if (!isHuge && !overflows)
    return plain;
  Complex turned = times(direction(a), direction(b));
  return {infinity * turned.re, infinity * turned.im};
}

/// 1 / z by Smith's method. The sums with 0 come from the numerator and decide
/// the signs of zeros.
static Complex reciprocal(Complex z) {
  auto [x, y] = z;
  if (abs(x) >= abs(y)) {
    double ratio = y / x, divisor = x + y * ratio;
    return {1 / divisor, (0.0 - ratio) / divisor};
  }
  double ratio = x / y, divisor = y + x * ratio;
  return {(ratio + 0.0) / divisor, -1 / divisor};
}

/// Exponentiation by squaring, as NumPy does for whole powers. As there, a
/// product with 1 turns an infinite part into NaN, except for the powers 1, 2
/// and 3.
static Complex wholePower(Complex base, int exponent) {
  int count = exponent < 0 ? -exponent : exponent;
  Complex result = {1, 0};
  bool isFirst = exponent > 0 && exponent <= 3;
  for (;; base = times(base, base)) {
    if (count & 1) {
      result = isFirst ? base : times(result, base);
      isFirst = false;
    }
    count >>= 1;
    if (!count)
      break;
  }
  return exponent < 0 ? reciprocal(result) : result;
}

/// log z of c64, as exact as a power of c64 shows: relatively, to 2^-40. The
/// square of the size neither overflows nor underflows in f64, nor is it 0.
static Complex logOfSingle(Complex z) {
  if (!isFinite(z.re) || !isFinite(z.im))
    return logOfOthers(z);
  double u = abs(z.re) > abs(z.im) ? z.re : z.im;
  double v = abs(z.re) > abs(z.im) ? z.im : z.re;
  double w = fma(u, u, product(v, v));
  // w = 2^e m with m in [√½, √2). Near 1, w - 1 has all its digits by itself.
  auto bits = __builtin_bit_cast(unsigned long, w);
  int e = (int(bits >> 32) - 0x3fe6a09e) >> 20;
  double m = __builtin_bit_cast(double, bits - ((unsigned long)e << 52));
  double difference = e == 0 ? fma(v, v, fma(u, u, -1.0)) : m - 1;
  // log m = 2s + s³ P(s²) with s = (m - 1) / (m + 1).
  static constexpr double tail[] = {0x1.5555555564f23p-1, 0x1.999998ca9ec73p-2,
                                    0x1.2493242f22b77p-2, 0x1.c67ab529f5645p-3,
                                    0x1.8c8edd9199023p-3};
  double s = difference / (m + 1), square = s * s;
  double rest = fma(s * square, polynomial(tail, square), 2 * s);
  return {0.5 * fma(double(e), ln2, rest), kern_atan2_f64(z.im, z.re)};
}

/// For base 0: 1 if the exponent is 0, 0 if its real part is positive, else
/// undefined.
template <auto logarithm> static Complex pow(Complex base, Complex exponent) {
  if (exponent.re == 0 && exponent.im == 0)
    return {1, 0};
  if (base.re == 0 && base.im == 0) {
    if (exponent.re > 0)
      return {0, 0};
    return {nan, nan};
  }
  if (exponent.im == 0 && abs(exponent.re) < 100 &&
      exponent.re == __builtin_trunc(exponent.re))
    return wholePower(base, int(exponent.re));
  return exp(timesWithInfinities(exponent, logarithm(base)));
}

} // namespace kern::compiler::library

using namespace kern::compiler::library;

KERN_DEFINE_COMPLEX_DOUBLE(log, log(z))
KERN_DEFINE_COMPLEX_DOUBLE(log2, logTo(z, 1.4426950408889634))
KERN_DEFINE_COMPLEX_DOUBLE(log10, logTo(z, 0.4342944819032518))
KERN_DEFINE_COMPLEX_DOUBLE(log1p, log1p(z))
KERN_DEFINE_COMPLEX(sqrt, sqrt(z))

extern "C" _Complex double kern_pow_c128(double a, double b, double c,
                                         double d) {
  Complex w = pow<log>({a, b}, {c, d});
  return __builtin_complex(w.re, w.im);
}

extern "C" _Complex float kern_pow_c64(float a, float b, float c, float d) {
  Complex w = pow<logOfSingle>({a, b}, {c, d});
  return __builtin_complex(float(w.re), float(w.im));
}

//===- Complex.h - a complex number as its parts ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Complex functions are computed in f64 for both types, but for those of c64 in
// the files named Single. With c64 operands, the nearly exact result is then
// rounded once more.
//
// Special values are those of C99's Annex G where it defines the function.
// Elsewhere they follow from the functions used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/library/Primitives.h"

namespace kern::compiler::library {

struct Complex {
  double re, im;
};

/// A number of c64.
struct Single {
  float re, im;
};

inline Single rounded(Complex z) { return {float(z.re), float(z.im)}; }

/// Swaps the parts: turns sines into hyperbolic sines and back.
inline Complex reversed(Complex z) { return {z.im, z.re}; }
/// i·z: cos z = cosh iz.
inline Complex turned(Complex z) { return {-z.im, z.re}; }

Complex exp(Complex z);
Complex expm1(Complex z);
Complex sinh(Complex z);
Complex cosh(Complex z);
Complex tanh(Complex z);
Complex asin(Complex z);
Complex acos(Complex z);
Complex acosh(Complex z);
Complex atanh(Complex z);
Complex log(Complex z);
Complex sqrt(Complex z);

/// y·ln 2 in radians, reduced by whole turns to -π … π, for finite y of at
/// least 2^25. The low part is less than 2^-50.
Double2 largePowerAngle(double y);

/// The angle of 2^iy in radians for finite y: y·ln 2, possibly reduced by whole
/// turns. The low part is less than 2^-28, so that the square of a rotation by
/// it does not matter.
inline Double2 powerAngle(double y) {
  if (abs(y) >= 0x1p25) {
    Double2 angle = largePowerAngle(abs(y));
    return y < 0 ? Double2{-angle.high, -angle.low} : angle;
  }
  Double2 angle = exactProduct(y, ln2);
  return {angle.high, fma(y, 2.3190468138462996e-17, angle.low)};
}

} // namespace kern::compiler::library

/// Defines the library's symbol of a unary complex function of c128, given its
/// parts: kern_NAME_c128.
#define KERN_DEFINE_COMPLEX_DOUBLE(NAME, VALUE)                                \
  extern "C" _Complex double kern_##NAME##_c128(double re, double im) {        \
    kern::compiler::library::Complex z = {re, im};                             \
    kern::compiler::library::Complex w = VALUE;                                \
    return __builtin_complex(w.re, w.im);                                      \
  }

/// The same with c64's, which is computed in f64.
#define KERN_DEFINE_COMPLEX(NAME, VALUE)                                       \
  KERN_DEFINE_COMPLEX_DOUBLE(NAME, VALUE)                                      \
  extern "C" _Complex float kern_##NAME##_c64(float re, float im) {            \
    kern::compiler::library::Complex z = {re, im};                             \
    kern::compiler::library::Complex w = VALUE;                                \
    return __builtin_complex(float(w.re), float(w.im));                        \
  }

//===- Primitives.h - building blocks of the library ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These sources become bitcode that is linked into the code of every target.
// They use no C library. Elementary functions are neutral symbols that a
// target's table (compiler/targets) resolves; exact operations are one
// instruction.
//
// Products that begin an error-free transformation use `product`: a plain one
// may be contracted with the sum after it.
//
//===----------------------------------------------------------------------===//
#pragma once

#define KERN_PRIMITIVE extern "C" __attribute__((const, nothrow))
KERN_PRIMITIVE double kern_acos_f64(double);
KERN_PRIMITIVE double kern_asin_f64(double);
KERN_PRIMITIVE double kern_atan_f64(double);
KERN_PRIMITIVE double kern_atan2_f64(double, double);
KERN_PRIMITIVE float kern_atan2_f32(float, float);
KERN_PRIMITIVE double kern_cos_f64(double);
KERN_PRIMITIVE float kern_cos_f32(float);
KERN_PRIMITIVE double kern_cosh_f64(double);
KERN_PRIMITIVE double kern_exp_f64(double);
KERN_PRIMITIVE double kern_exp2_f64(double);
KERN_PRIMITIVE double kern_expm1_f64(double);
KERN_PRIMITIVE double kern_hypot_f64(double, double);
KERN_PRIMITIVE double kern_log_f64(double);
KERN_PRIMITIVE double kern_log1p_f64(double);
KERN_PRIMITIVE float kern_sin_f32(float);
KERN_PRIMITIVE double kern_sin_f64(double);
KERN_PRIMITIVE double kern_sinh_f64(double);

namespace kern::compiler::library {

inline constexpr double infinity = __builtin_inf();
inline constexpr double nan = __builtin_nan("");
inline constexpr double pi = 3.141592653589793;
inline constexpr double halfPi = 1.5707963267948966;
inline constexpr double ln2 = 0.6931471805599453;
inline constexpr double largest = __DBL_MAX__;
inline constexpr double epsilon = __DBL_EPSILON__;

inline double abs(double x) { return __builtin_fabs(x); }
inline double sqrt(double x) { return __builtin_sqrt(x); }
inline double copysign(double x, double sign) {
  return __builtin_copysign(x, sign);
}
inline double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline bool isNan(double x) { return x != x; }
inline bool isInfinite(double x) { return abs(x) == infinity; }
inline bool isFinite(double x) { return abs(x) < infinity; }
inline bool isNegative(double x) { return copysign(1.0, x) < 0; }

/// A value and its rounding error.
struct Double2 {
  double high, low;
};

/// a·b rounded, never fused with the next operation; a product of -0 is 0.
inline double product(double a, double b) { return fma(a, b, 0.0); }

/// a·b exactly, unless it underflows.
inline Double2 exactProduct(double a, double b) {
  double high = product(a, b);
  return {high, fma(a, b, -high)};
}

/// a + b exactly (Knuth's two-sum).
inline Double2 exactSum(double a, double b) {
  double high = a + b, part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}

struct Float2 {
  float high, low;
};

inline Float2 exactProduct(float a, float b) {
  float high = fma(a, b, 0.0f);
  return {high, fma(a, b, -high)};
}

inline Float2 exactSum(float a, float b) {
  float high = a + b, part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}

/// a + b exactly if |a| >= |b|.
inline Double2 quickSum(double a, double b) {
  double high = a + b;
  return {high, b - (high - a)};
}

/// c[0] + c[1] x + c[2] x² + …, by Horner's rule.
template <typename T, int count> inline T polynomial(const T (&c)[count], T x) {
  T sum = c[count - 1];
#pragma clang loop unroll(full)
  for (int i = count - 2; i >= 0; --i)
    sum = fma(sum, x, c[i]);
  return sum;
}

} // namespace kern::compiler::library

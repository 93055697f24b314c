//===- Halves.cpp - elementary functions of f16 and bf16 ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands here are f16 or bf16, widened to f32. Results are rounded to the
// half afterwards. A relative error below 2^-14 hardly shows in them, so
// polynomials are shorter than for f32. Errors after rounding, over all f16
// values, against float64: erf 0.55 ULP, exp and tanh 0.51 ULP.
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

namespace kern::ir {

using runtime::DType;

using Operands = llvm::ArrayRef<Scalar>;

static Scalar number(ScalarBuilder &s, double value) {
  return s.number(DType::F32, value);
}

static Scalar fma(ScalarBuilder &s, Scalar a, Scalar b, Scalar c) {
  return s.intrinsic("llvm.fma", {a, b, c}, DType::F32);
}

/// c[0] + c[1] t + c[2] t² + …
static Scalar polynomial(ScalarBuilder &s, llvm::ArrayRef<double> c, Scalar t) {
  Scalar sum = number(s, c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    sum = fma(s, sum, t, number(s, coefficient));
  return sum;
}

/// x P(x²) with x clamped to ±2.625. Beyond that, 1 - erf(x) is less than half
/// a unit in the last place of 1. P is the minimax polynomial of erf(x)/x in
/// x², with a relative error of 2^-15.2.
static Scalars erf(ScalarBuilder &s, Operands operands) {
  static constexpr double coefficients[] = {
      0x1.20db94p+0, -0x1.80a7b4p-2,  0x1.c8435ep-4,  -0x1.9bfdfcp-6,
      0x1.10b3dp-8,  -0x1.eb7452p-12, 0x1.0832b8p-15, -0x1.f7fb82p-21};
  // Unlike fmin and fmax, these propagate NaN.
  Scalar x =
      s.intrinsic("llvm.minimum", {operands[0], number(s, 2.625)}, DType::F32);
  x = s.intrinsic("llvm.maximum", {x, number(s, -2.625)}, DType::F32);
  return {s.mul(x, polynomial(s, coefficients, s.mul(x, x)))};
}

static Scalars exp(ScalarBuilder &s, Operands x) {
  return {s.call("fast.exp", x)};
}

/// (1 - e^-2|x|) / (1 + e^-2|x|) with the sign of x. For |x| < 1/16 this would
/// cancel; x (1 - x²/3) is used instead, with a relative error of 2^-19.
static Scalars tanh(ScalarBuilder &s, Operands x) {
  Scalar magnitude = s.abs(x[0]);
  Scalar e = s.call("fast.exp", {s.mul(magnitude, number(s, -2.0))});
  Scalar one = number(s, 1.0);
  Scalar large =
      s.copysign(s.approximateDiv(s.sub(one, e), s.add(one, e)), x[0]);
  Scalar small =
      s.mul(x[0], fma(s, s.mul(x[0], x[0]), number(s, -1.0 / 3.0), one));
  Scalar isSmall =
      s.compare(ComparePredicate::Less, magnitude, number(s, 0x1p-4));
  return {s.select(isSmall, small, large)};
}

void addHalves(EmitterTable &table) {
  table[ScalarFunction::erf].half = erf;
  table[ScalarFunction::exp].half = exp;
  table[ScalarFunction::tanh].half = tanh;
}

} // namespace kern::ir

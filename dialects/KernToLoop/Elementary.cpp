//===- Elementary.cpp - elementary functions ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Comparison.h"
#include "dialects/KernToLoop/Emitters.h"

#include <numbers>

namespace kern::ir {

using runtime::DType;

using Operands = llvm::ArrayRef<Scalar>;

static Scalars squareRoot(ScalarBuilder &s, Operands x) {
  return {s.sqrt(x[0])};
}

static Scalars squareRootOfComplex(ScalarBuilder &s, Operands x) {
  return {s.callComplex("sqrt", x)};
}

/// The product with a constant. As in NumPy, the constant for f32 is computed
/// in f32.
static Emit scaledBy(float single, double exact) {
  return [=](ScalarBuilder &s, Operands x) -> Scalars {
    DType type = x[0].type;
    double factor = type == DType::F32 ? double(single) : exact;
    return {s.mul(x[0], s.number(type, factor))};
  };
}

/// log(1 + e) for e from 0 to 1. That of f32 is e P(e) with a minimax
/// polynomial, whose relative error is 2^-27.
static Scalar log1p(ScalarBuilder &s, Scalar e) {
  static constexpr double coefficients[] = {1,
                                            -0x1.ffffdp-2,
                                            0x1.554da4p-2,
                                            -0x1.ff2136p-3,
                                            0x1.934142p-3,
                                            -0x1.3a2fa4p-3,
                                            0x1.b4872ap-4,
                                            -0x1.d695d8p-5,
                                            0x1.492c9p-6,
                                            -0x1.afc06ep-9};
  if (e.type != DType::F32)
    return s.call("log1p", {e});
  llvm::ArrayRef<double> rest = coefficients;
  Scalar sum = s.number(e.type, rest.back());
  for (double coefficient : llvm::reverse(rest.drop_back()))
    sum = s.intrinsic("llvm.fma", {sum, e, s.number(e.type, coefficient)},
                      e.type);
  return s.mul(e, sum);
}

/// log(b^x + b^y) without overflow: the larger operand and log(1 + b^-|x - y|).
/// Equal operands, infinities among them, are apart, since their difference may
/// be NaN and their logarithm 0.
static Emit logAddExp(llvm::StringRef exponential, double scale) {
  return [=](ScalarBuilder &s, Operands x) -> Scalars {
    DType type = x[0].type;
    Scalar difference = s.sub(x[0], x[1]);
    Scalar first =
        s.compare(ComparePredicate::Greater, difference, s.number(type, 0.0));
    Scalar larger = s.select(first, x[0], x[1]);
    Scalar log = log1p(s, s.call(exponential, {s.neg(s.abs(difference))}));
    if (scale != 1.0)
      log = s.mul(log, s.number(type, scale));
    Scalar equal = s.compare(ComparePredicate::Equal, x[0], x[1]);
    Scalar ofTwo = s.number(type, scale * std::numbers::ln2);
    return {s.add(larger, s.select(equal, ofTwo, log))};
  };
}

void addElementary(EmitterTable &table) {
  struct Call {
    ScalarFunction function;
    llvm::StringLiteral library;
  };
  auto real = [](llvm::StringRef library) -> Emit {
    return [library](ScalarBuilder &s, Operands x) -> Scalars {
      return {s.call(library, x)};
    };
  };
  static constexpr Call ofReals[] = {
      {ScalarFunction::cbrt, "cbrt"},     {ScalarFunction::hypot, "hypot"},
      {ScalarFunction::arctan2, "atan2"}, {ScalarFunction::erf, "erf"},
      {ScalarFunction::erfc, "erfc"},     {ScalarFunction::gamma, "tgamma"},
      {ScalarFunction::lgamma, "lgamma"},
  };
  for (auto [function, library] : ofReals)
    table[function] = {real(library), {}};
  static constexpr Call ofAll[] = {
      {ScalarFunction::exp, "exp"},       {ScalarFunction::exp2, "exp2"},
      {ScalarFunction::expm1, "expm1"},   {ScalarFunction::log, "log"},
      {ScalarFunction::log2, "log2"},     {ScalarFunction::log10, "log10"},
      {ScalarFunction::log1p, "log1p"},   {ScalarFunction::sin, "sin"},
      {ScalarFunction::cos, "cos"},       {ScalarFunction::tan, "tan"},
      {ScalarFunction::arcsin, "asin"},   {ScalarFunction::arccos, "acos"},
      {ScalarFunction::arctan, "atan"},   {ScalarFunction::sinh, "sinh"},
      {ScalarFunction::cosh, "cosh"},     {ScalarFunction::tanh, "tanh"},
      {ScalarFunction::arcsinh, "asinh"}, {ScalarFunction::arccosh, "acosh"},
      {ScalarFunction::arctanh, "atanh"},
  };
  for (auto [function, library] : ofAll) {
    Emit ofComplex = [library](ScalarBuilder &s, Operands x) -> Scalars {
      return {s.callComplex(library, x)};
    };
    table[function] = {real(library), ofComplex};
  }
  table[ScalarFunction::sqrt] = {squareRoot, squareRootOfComplex};

  constexpr float pi = std::numbers::pi_v<float>;
  constexpr double exactPi = std::numbers::pi;
  table[ScalarFunction::deg2rad] = {scaledBy(pi / 180.0f, exactPi / 180.0), {}};
  table[ScalarFunction::rad2deg] = {scaledBy(180.0f / pi, 180.0 / exactPi), {}};
  table[ScalarFunction::logaddexp] = {logAddExp("exp", 1.0), {}};
  table[ScalarFunction::logaddexp2] = {logAddExp("exp2", std::numbers::log2e),
                                       {}};
}

} // namespace kern::ir

//===- Elementary.cpp - elementary functions ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/KernToLoop/Comparison.h"
#include "dialects/KernToLoop/Emitters.h"

#include <numbers>

namespace kern {

using Operands = llvm::ArrayRef<Scalar>;

static Scalars squareRoot(ScalarBuilder &s, Operands x) {
  return {s.sqrt(x[0])};
}

static Scalars squareRootOfComplex(ScalarBuilder &s, Operands x) {
  return {s.callComplex("sqrt", x)};
}

/// A product with a constant that is rounded in the operand's own type, as in
/// NumPy.
static Emit scaledBy(float single, double exact) {
  return [=](ScalarBuilder &s, Operands x) -> Scalars {
    DType type = x[0].type;
    double factor = type == DType::F32 ? double(single) : exact;
    return {s.mul(x[0], s.number(type, factor))};
  };
}

/// log(b^x + b^y) without overflow: the larger of the two and a correction. Of
/// equal operands (infinities too, whose difference is NaN) exactly x + log 2.
static Emit logAddExp(llvm::StringRef exponential, double logOfTwo,
                      double scale) {
  return [=](ScalarBuilder &s, Operands x) -> Scalars {
    DType type = x[0].type;
    Scalar difference = s.sub(x[0], x[1]);
    Scalar first =
        s.compare(Relation::Greater, difference, s.number(type, 0.0));
    Scalar larger = s.select(first, x[0], x[1]);
    Scalar small = s.call(exponential, {s.neg(s.abs(difference))});
    Scalar correction = s.call("log1p", {small});
    if (scale != 1.0)
      correction = s.mul(correction, s.number(type, scale));
    Scalar sum = s.add(larger, correction);
    sum = s.select(s.isNaN(difference), difference, sum);
    Scalar equal = s.compare(Relation::Equal, x[0], x[1]);
    return {s.select(equal, s.add(x[0], s.number(type, logOfTwo)), sum)};
  };
}

void addElementary(EmitterTable &table) {
  struct Call {
    llvm::StringLiteral name, library;
  };
  auto real = [](llvm::StringRef library) -> Emit {
    return [library](ScalarBuilder &s, Operands x) -> Scalars {
      return {s.call(library, x)};
    };
  };
  static constexpr Call ofReals[] = {
      {"cbrt", "cbrt"},     {"hypot", "hypot"}, {"arctan2", "atan2"},
      {"erf", "erf"},       {"erfc", "erfc"},   {"gamma", "tgamma"},
      {"lgamma", "lgamma"},
  };
  for (auto [name, library] : ofReals)
    table[name] = {real(library), {}};
  static constexpr Call ofAll[] = {
      {"exp", "exp"},       {"exp2", "exp2"},     {"expm1", "expm1"},
      {"log", "log"},       {"log2", "log2"},     {"log10", "log10"},
      {"log1p", "log1p"},   {"sin", "sin"},       {"cos", "cos"},
      {"tan", "tan"},       {"arcsin", "asin"},   {"arccos", "acos"},
      {"arctan", "atan"},   {"sinh", "sinh"},     {"cosh", "cosh"},
      {"tanh", "tanh"},     {"arcsinh", "asinh"}, {"arccosh", "acosh"},
      {"arctanh", "atanh"},
  };
  for (auto [name, library] : ofAll) {
    Emit ofComplex = [library](ScalarBuilder &s, Operands x) -> Scalars {
      return {s.callComplex(library, x)};
    };
    table[name] = {real(library), ofComplex};
  }
  table["sqrt"] = {squareRoot, squareRootOfComplex};

  constexpr float pi = std::numbers::pi_v<float>;
  constexpr double exactPi = std::numbers::pi;
  table["deg2rad"] = {scaledBy(pi / 180.0f, exactPi / 180.0), {}};
  table["rad2deg"] = {scaledBy(180.0f / pi, 180.0 / exactPi), {}};
  table["logaddexp"] = {logAddExp("exp", std::numbers::ln2, 1.0), {}};
  table["logaddexp2"] = {logAddExp("exp2", 1.0, std::numbers::log2e), {}};
}

} // namespace kern

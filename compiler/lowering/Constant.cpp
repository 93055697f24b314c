//===- Constant.cpp - values known at compile time ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Constant.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace kern {

using Complex = std::complex<double>;

bool truth(const Constant &constant) {
  if (const Integer *integer = constant.asInt())
    return !integer->isZero();
  if (const bool *flag = std::get_if<bool>(&constant.value))
    return *flag;
  if (const double *number = std::get_if<double>(&constant.value))
    return *number != 0;
  return std::get<Complex>(constant.value) != Complex(0);
}

/// Of a real number; nothing for an integer beyond the largest float.
static std::optional<double> toDouble(const Constant &constant) {
  if (const bool *flag = std::get_if<bool>(&constant.value))
    return *flag;
  if (const Integer *integer = constant.asInt())
    return integer->toDouble();
  return std::get<double>(constant.value);
}

static std::optional<Complex> toComplex(const Constant &constant) {
  if (const Complex *value = std::get_if<Complex>(&constant.value))
    return *value;
  std::optional<double> real = toDouble(constant);
  return real ? std::optional(Complex(*real, 0)) : std::nullopt;
}

static Folded foldIntegers(llvm::StringRef function, const Integer &a,
                           const Integer &b) {
  if (function == "true_divide" && !b.isZero()) {
    std::optional<double> value = quotient(a, b);
    return value ? Folded(Constant{*value}) : Folded::NoFloat;
  }
  IntegerResult result = applyToIntegers(function, a, b);
  if (result.value)
    return Constant{*result.value};
  return result.outcome == IntegerResult::TooWide ? Folded::TooWide
                                                  : Folded::Left;
}

/// A comparison, from the order of what is compared; nothing for NaN.
static std::optional<bool> compare(llvm::StringRef function,
                                   std::optional<int> order) {
  return llvm::StringSwitch<std::optional<bool>>(function)
      .Case("less", order && *order < 0)
      .Case("less_equal", order && *order <= 0)
      .Case("greater", order && *order > 0)
      .Case("greater_equal", order && *order >= 0)
      .Case("equal", order && *order == 0)
      .Case("not_equal", !order || *order != 0)
      .Default(std::nullopt);
}

/// By value: an integer is not rounded to a float first.
static std::optional<int> orderOf(const Constant &a, const Constant &b) {
  const Integer *x = a.asInt(), *y = b.asInt();
  if (x && y)
    return x->compare(*y);
  if (x)
    return x->compare(std::get<double>(b.value));
  if (y) {
    std::optional<int> order = y->compare(std::get<double>(a.value));
    return order ? std::optional(-*order) : std::nullopt;
  }
  double left = std::get<double>(a.value), right = std::get<double>(b.value);
  if (std::isnan(left) || std::isnan(right))
    return std::nullopt;
  return left == right ? 0 : left < right ? -1 : 1;
}

static double floatRemainder(double a, double b) {
  double mod = std::fmod(a, b);
  if (mod != 0)
    return (b < 0) != (mod < 0) ? mod + b : mod;
  return std::copysign(0.0, b);
}

/// NaN propagates.
static double floatExtremum(bool isMaximum, double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  return (isMaximum ? a >= b : a <= b) ? a : b;
}

static Folded foldFloats(llvm::StringRef function, double a, double b) {
  auto value = llvm::StringSwitch<std::optional<double>>(function)
                   .Case("add", a + b)
                   .Case("subtract", a - b)
                   .Case("multiply", a * b)
                   .Case("power", std::pow(a, b))
                   .Case("arctan2", std::atan2(a, b))
                   .Case("hypot", std::hypot(a, b))
                   .Case("copysign", std::copysign(a, b))
                   .Case("maximum", floatExtremum(true, a, b))
                   .Case("minimum", floatExtremum(false, a, b))
                   .Default(std::nullopt);
  if (value)
    return Constant{*value};
  if (function == "true_divide" && b != 0)
    return Constant{a / b};
  if (function == "remainder" && b != 0)
    return Constant{floatRemainder(a, b)};
  return Folded::Left;
}

static Folded foldFloat(llvm::StringRef function, const Constant &operand) {
  using Math = double (*)(double);
  Math math = llvm::StringSwitch<Math>(function)
                  .Case("sqrt", std::sqrt)
                  .Case("cbrt", std::cbrt)
                  .Case("exp", std::exp)
                  .Case("exp2", std::exp2)
                  .Case("expm1", std::expm1)
                  .Case("log", std::log)
                  .Case("log2", std::log2)
                  .Case("log10", std::log10)
                  .Case("log1p", std::log1p)
                  .Case("sin", std::sin)
                  .Case("cos", std::cos)
                  .Case("tan", std::tan)
                  .Case("arcsin", std::asin)
                  .Case("arccos", std::acos)
                  .Case("arctan", std::atan)
                  .Case("sinh", std::sinh)
                  .Case("cosh", std::cosh)
                  .Case("tanh", std::tanh)
                  .Default(nullptr);
  if (!math)
    return Folded::Left;
  std::optional<double> x = toDouble(operand);
  return x ? Folded(Constant{math(*x)}) : Folded::NoFloat;
}

static Folded foldUnary(llvm::StringRef function, const Constant &operand) {
  if (function == "logical_not")
    return Constant{!truth(operand)};
  if (const Integer *value = operand.asInt()) {
    const Integer zero(0), minusOne(-1);
    if (function == "positive" ||
        (function == "absolute" && !value->isNegative()))
      return operand;
    if (function == "negative" || function == "absolute")
      return foldIntegers("subtract", zero, *value);
    if (function == "invert")
      return foldIntegers("subtract", minusOne, *value);
  }
  if (const double *value = std::get_if<double>(&operand.value)) {
    if (function == "negative")
      return Constant{-*value};
    if (function == "positive")
      return operand;
    if (function == "absolute" || function == "fabs")
      return Constant{std::fabs(*value)};
  }
  if (const Complex *value = std::get_if<Complex>(&operand.value)) {
    if (function == "negative")
      return Constant{-*value};
    return Folded::Left;
  }
  if (operand.isBool())
    return Folded::Left;
  return foldFloat(function, operand);
}

Folded fold(llvm::StringRef function, llvm::ArrayRef<Constant> operands) {
  if (operands.size() == 1)
    return foldUnary(function, operands[0]);
  if (operands.size() != 2)
    return Folded::Left;
  const Constant &a = operands[0], &b = operands[1];
  if (a.isBool() || b.isBool()) // typed: NumPy's rules, not Python's
    return Folded::Left;
  if (a.isComplex() || b.isComplex()) {
    if (function != "add" && function != "subtract")
      return Folded::Left;
    std::optional<Complex> x = toComplex(a), y = toComplex(b);
    if (!x || !y)
      return Folded::NoFloat;
    return Constant{function == "add" ? *x + *y : *x - *y};
  }
  if (std::optional<bool> result = compare(function, orderOf(a, b)))
    return Constant{*result};
  if (a.isInt() && b.isInt() && function != "arctan2" && function != "hypot")
    return foldIntegers(function, *a.asInt(), *b.asInt());
  std::optional<double> x = toDouble(a), y = toDouble(b);
  // Without the numbers it is not known to be folded; with others it is.
  Folded result = foldFloats(function, x.value_or(1), y.value_or(1));
  return x && y                           ? result
         : result.outcome == Folded::Done ? Folded::NoFloat
                                          : Folded::Left;
}

} // namespace kern

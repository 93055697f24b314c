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
  return std::visit([](auto value) { return value != decltype(value)(0); },
                    constant.value);
}

static double toDouble(const Constant &constant) {
  if (const bool *flag = std::get_if<bool>(&constant.value))
    return *flag;
  if (const __int128 *integer = std::get_if<__int128>(&constant.value))
    return double(*integer);
  return std::get<double>(constant.value);
}

static Complex toComplex(const Constant &constant) {
  if (const Complex *value = std::get_if<Complex>(&constant.value))
    return *value;
  return {toDouble(constant), 0};
}

static std::optional<Constant> integer(std::optional<__int128> value) {
  if (!value)
    return std::nullopt;
  return Constant{*value};
}

static __int128 floorDivide(__int128 a, __int128 b) {
  __int128 quotient = a / b;
  return quotient - (a % b != 0 && (a % b < 0) != (b < 0));
}

static std::optional<__int128> powerOf(__int128 base, __int128 exponent) {
  __int128 result = 1;
  for (; exponent > 0; --exponent) {
    if (__builtin_mul_overflow(result, base, &result))
      return std::nullopt;
    if (result == 0 || result == 1)
      break;
    if (result == -1)
      return exponent % 2 ? -1 : 1;
  }
  return result;
}

static std::optional<Constant> foldIntegers(llvm::StringRef function,
                                            __int128 a, __int128 b) {
  __int128 result;
  // The smallest number divided by -1 is the one quotient that overflows.
  if (b == -1 && __builtin_sub_overflow(__int128(0), a, &result) &&
      (function == "floor_divide" || function == "remainder"))
    return std::nullopt;
  if (function == "add")
    return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                                 : integer(result);
  if (function == "subtract")
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt
                                                 : integer(result);
  if (function == "multiply")
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                                 : integer(result);
  if (function == "floor_divide" && b != 0)
    return integer(floorDivide(a, b));
  if (function == "remainder" && b != 0)
    return integer(a - floorDivide(a, b) * b);
  if (function == "true_divide" && b != 0)
    return Constant{double(a) / double(b)};
  if (function == "power" && b >= 0)
    return integer(powerOf(a, b));
  if (function == "bitwise_and")
    return integer(a & b);
  if (function == "bitwise_or")
    return integer(a | b);
  if (function == "bitwise_xor")
    return integer(a ^ b);
  if (function == "left_shift" && b >= 0 && b < 64 && a >= 0 &&
      a < (__int128(1) << 62))
    return integer(a << b);
  if (function == "right_shift" && b >= 0)
    return integer(a >> std::min<__int128>(b, 126));
  if (function == "maximum")
    return integer(std::max(a, b));
  if (function == "minimum")
    return integer(std::min(a, b));
  return std::nullopt;
}

template <typename T>
static std::optional<bool> compare(llvm::StringRef function, T a, T b) {
  return llvm::StringSwitch<std::optional<bool>>(function)
      .Case("less", a < b)
      .Case("less_equal", a <= b)
      .Case("greater", a > b)
      .Case("greater_equal", a >= b)
      .Case("equal", a == b)
      .Case("not_equal", a != b)
      .Default(std::nullopt);
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

static std::optional<Constant> foldFloats(llvm::StringRef function, double a,
                                          double b) {
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
  return std::nullopt;
}

static std::optional<Constant> foldFloat(llvm::StringRef function, double x) {
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
  if (math)
    return Constant{math(x)};
  return std::nullopt;
}

static std::optional<Constant> foldUnary(llvm::StringRef function,
                                         const Constant &operand) {
  if (function == "logical_not")
    return Constant{!truth(operand)};
  if (const __int128 *value = std::get_if<__int128>(&operand.value)) {
    __int128 negated;
    bool fits = !__builtin_sub_overflow(__int128(0), *value, &negated);
    if (function == "negative")
      return fits ? integer(negated) : std::nullopt;
    if (function == "positive")
      return operand;
    if (function == "invert")
      return Constant{~*value};
    if (function == "absolute")
      return *value >= 0 ? operand : fits ? integer(negated) : std::nullopt;
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
    return std::nullopt;
  }
  if (operand.isBool())
    return std::nullopt;
  return foldFloat(function, toDouble(operand));
}

std::optional<Constant> fold(llvm::StringRef function,
                             llvm::ArrayRef<Constant> operands) {
  if (operands.size() == 1)
    return foldUnary(function, operands[0]);
  if (operands.size() != 2)
    return std::nullopt;
  const Constant &a = operands[0], &b = operands[1];
  if (a.isBool() || b.isBool()) // typed: NumPy's rules, not Python's
    return std::nullopt;
  if (a.isComplex() || b.isComplex()) {
    Complex x = toComplex(a), y = toComplex(b);
    if (function == "add")
      return Constant{x + y};
    if (function == "subtract")
      return Constant{x - y};
    return std::nullopt;
  }
  if (a.isInt() && b.isInt()) {
    __int128 x = *a.asInt(), y = *b.asInt();
    if (std::optional<bool> result = compare(function, x, y))
      return Constant{*result};
    if (std::optional<Constant> result = foldIntegers(function, x, y))
      return result;
    if (function != "arctan2" && function != "hypot")
      return std::nullopt;
  }
  double x = toDouble(a), y = toDouble(b);
  if (std::optional<bool> result = compare(function, x, y))
    return Constant{*result};
  return foldFloats(function, x, y);
}

} // namespace kern

//===- FoldFunctions.cpp - library functions of constants -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FoldFunctions.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace kern {

using Complex = std::complex<double>;
using llvm::StringRef;
using llvm::StringSwitch;

static double toDouble(const Constant &constant) {
  return std::visit(
      [](auto value) {
        if constexpr (std::is_same_v<decltype(value), Complex>)
          return value.real();
        else if constexpr (std::is_same_v<decltype(value), Integer>)
          return value.toDouble().value_or(
              std::copysign(std::numeric_limits<double>::infinity(),
                            value.isNegative() ? -1 : 1));
        else
          return double(value);
      },
      constant.value);
}

static Complex toComplex(const Constant &constant) {
  const auto *value = std::get_if<Complex>(&constant.value);
  return value ? *value : Complex(toDouble(constant), 0);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static double signOf(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

static std::optional<Constant> foldReal(StringRef function, double x) {
  using Math = double (*)(double);
  Math math = StringSwitch<Math>(function)
                  .Case("floor", std::floor)
                  .Case("ceil", std::ceil)
                  .Case("trunc", std::trunc)
                  .Cases({"rint", "round"}, std::nearbyint)
                  .Case("fabs", std::fabs)
                  .Case("sign", signOf)
                  .Case("arcsinh", std::asinh)
                  .Case("arccosh", std::acosh)
                  .Case("arctanh", std::atanh)
                  .Case("erf", std::erf)
                  .Case("erfc", std::erfc)
                  .Case("gamma", std::tgamma)
                  .Case("lgamma", std::lgamma)
                  .Default(nullptr);
  if (math)
    return Constant{math(x)};
  auto value = StringSwitch<std::optional<double>>(function)
                   .Case("square", x * x)
                   .Case("reciprocal", 1 / x)
                   .Case("deg2rad", x * (std::numbers::pi / 180))
                   .Case("rad2deg", x * (180 / std::numbers::pi))
                   .Cases({"real", "conjugate"}, x)
                   .Case("imag", 0.0)
                   .Case("angle", std::arg(Complex(x)))
                   .Default(std::nullopt);
  if (value)
    return Constant{*value};
  auto is = StringSwitch<std::optional<bool>>(function)
                .Case("isnan", std::isnan(x))
                .Case("isinf", std::isinf(x))
                .Case("isfinite", std::isfinite(x))
                .Case("signbit", std::signbit(x))
                .Default(std::nullopt);
  return is ? std::optional(Constant{*is}) : std::nullopt;
}

/// Integers stay what they are where a float would.
static std::optional<Constant> foldInteger(StringRef function, __int128 x) {
  __int128 square;
  if (llvm::is_contained(
          {"floor", "ceil", "trunc", "round", "real", "conjugate"}, function))
    return Constant{Integer(x)};
  if (function == "imag")
    return Constant{Integer(0)};
  if (function == "sign")
    return Constant{Integer((x > 0) - (x < 0))};
  if (function == "square" && !__builtin_mul_overflow(x, x, &square))
    return Constant{Integer(square)};
  if (function == "square" || function == "reciprocal")
    return std::nullopt;
  return foldReal(function, double(x));
}

static std::optional<Constant> foldComplex(StringRef function, Complex z) {
  auto number = StringSwitch<std::optional<double>>(function)
                    .Case("absolute", std::abs(z))
                    .Case("real", z.real())
                    .Case("imag", z.imag())
                    .Case("angle", std::arg(z))
                    .Default(std::nullopt);
  if (number)
    return Constant{*number};
  using Math = Complex (*)(const Complex &);
  Math math = StringSwitch<Math>(function)
                  .Case("sqrt", std::sqrt<double>)
                  .Case("exp", std::exp<double>)
                  .Case("log", std::log<double>)
                  .Case("sin", std::sin<double>)
                  .Case("cos", std::cos<double>)
                  .Case("tan", std::tan<double>)
                  .Case("sinh", std::sinh<double>)
                  .Case("cosh", std::cosh<double>)
                  .Case("tanh", std::tanh<double>)
                  .Case("conjugate", std::conj<double>)
                  .Default(nullptr);
  if (math)
    return Constant{math(z)};
  if (function == "square")
    return Constant{z * z};
  if (function == "positive")
    return Constant{z};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static __int128 greatestDivisor(__int128 a, __int128 b) {
  while (b != 0)
    a = std::exchange(b, a % b);
  return a;
}

static std::optional<Constant> foldIntegers(StringRef function, __int128 a,
                                            __int128 b) {
  auto magnitude = [](__int128 x) { return x < 0 ? -x : x; };
  __int128 product;
  const __int128 common = greatestDivisor(magnitude(a), magnitude(b));
  if (function == "gcd")
    return Constant{Integer(common)};
  if (function == "lcm") {
    if (!common)
      return Constant{Integer(0)};
    if (!__builtin_mul_overflow(magnitude(a) / common, magnitude(b), &product))
      return Constant{Integer(product)};
    return std::nullopt;
  }
  if (function == "fmod" && b != 0)
    return Constant{Integer(a % b)};
  if (function == "fmax")
    return Constant{Integer(std::max(a, b))};
  if (function == "fmin")
    return Constant{Integer(std::min(a, b))};
  return std::nullopt;
}

static double floorDivide(double a, double b) {
  double mod = std::fmod(a, b), quotient = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(0.0, a / b);
  double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

static double heaviside(double x, double atZero) {
  return std::isnan(x) ? x : x == 0 ? atZero : x < 0 ? 0 : 1;
}

static std::optional<Constant> foldReals(StringRef function, double a,
                                         double b) {
  auto extremum = [&](bool wantsMore) {
    if (std::isnan(a) || std::isnan(b))
      return a + b;
    return wantsMore ? std::fmax(a, b) : std::fmin(a, b);
  };
  if (function == "floor_divide" && b != 0)
    return Constant{floorDivide(a, b)};
  if (function == "fmod" && b != 0)
    return Constant{std::fmod(a, b)};
  auto value = StringSwitch<std::optional<double>>(function)
                   .Case("maximum", extremum(true))
                   .Case("minimum", extremum(false))
                   .Case("fmax", std::fmax(a, b))
                   .Case("fmin", std::fmin(a, b))
                   .Case("float_power", std::pow(a, b))
                   .Case("nextafter", std::nextafter(a, b))
                   .Case("heaviside", heaviside(a, b))
                   .Default(std::nullopt);
  if (value)
    return Constant{*value};
  if (function == "complex")
    return Constant{Complex(a, b)};
  return std::nullopt;
}

static std::optional<Constant> foldComplexes(StringRef function, Complex a,
                                             Complex b) {
  if (function == "multiply")
    return Constant{a * b};
  if (function == "true_divide" && b != Complex(0))
    return Constant{a / b};
  if (function == "power" && a != Complex(0))
    return Constant{std::pow(a, b)};
  if (function == "equal")
    return Constant{a == b};
  if (function == "not_equal")
    return Constant{a != b};
  return std::nullopt;
}

static std::optional<Constant> foldTruth(StringRef function, bool a, bool b) {
  auto value = StringSwitch<std::optional<bool>>(function)
                   .Case("logical_and", a && b)
                   .Case("logical_or", a || b)
                   .Case("logical_xor", a != b)
                   .Default(std::nullopt);
  return value ? std::optional(Constant{*value}) : std::nullopt;
}

static std::optional<Constant> foldTwo(StringRef function, const Constant &a,
                                       const Constant &b) {
  if (std::optional<Constant> value = foldTruth(function, truth(a), truth(b)))
    return value;
  if (a.isBool() && b.isBool()) {
    const bool x = std::get<bool>(a.value), y = std::get<bool>(b.value);
    auto value = StringSwitch<std::optional<bool>>(function)
                     .Case("equal", x == y)
                     .Cases({"not_equal", "bitwise_xor"}, x != y)
                     .Cases({"bitwise_and", "multiply", "minimum"}, x && y)
                     .Cases({"bitwise_or", "add", "maximum"}, x || y)
                     .Case("less", x < y)
                     .Case("less_equal", x <= y)
                     .Case("greater", x > y)
                     .Case("greater_equal", x >= y)
                     .Default(std::nullopt);
    return value ? std::optional(Constant{*value}) : std::nullopt;
  }
  if (a.isBool() || b.isBool())
    return std::nullopt;
  if (a.isComplex() || b.isComplex())
    return foldComplexes(function, toComplex(a), toComplex(b));
  if (a.isInt() && b.isInt()) {
    std::optional<__int128> x = a.asInt()->asInt128();
    std::optional<__int128> y = b.asInt()->asInt128();
    if (!x || !y)
      return std::nullopt;
    if (std::optional<Constant> value = foldIntegers(function, *x, *y))
      return value;
  }
  if (llvm::is_contained({"gcd", "lcm"}, function))
    return std::nullopt;
  return foldReals(function, toDouble(a), toDouble(b));
}

std::optional<Constant> foldFunction(StringRef function,
                                     llvm::ArrayRef<Constant> operands) {
  if (operands.size() == 2)
    return foldTwo(function, operands[0], operands[1]);
  if (operands.size() == 3) {
    if (function == "where")
      return operands[0].isBool() &&
                     operands[1].value.index() == operands[2].value.index()
                 ? std::optional(operands[truth(operands[0]) ? 1 : 2])
                 : std::nullopt;
    if (function != "clip")
      return std::nullopt;
    auto choose = [](StringRef name, const Constant &a, const Constant &b) {
      std::optional<Constant> value = fold(name, {a, b}).value;
      return value ? value : foldTwo(name, a, b);
    };
    std::optional<Constant> least = choose("maximum", operands[0], operands[1]);
    return least ? choose("minimum", *least, operands[2]) : std::nullopt;
  }
  if (operands.size() != 1 || operands[0].isBool())
    return std::nullopt;
  if (const auto *value = std::get_if<Complex>(&operands[0].value))
    return foldComplex(function, *value);
  if (const Integer *integer = operands[0].asInt()) {
    std::optional<__int128> narrow = integer->asInt128();
    return narrow ? foldInteger(function, *narrow) : std::nullopt;
  }
  return foldReal(function, toDouble(operands[0]));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static double roundedTo(double value, DType type) {
  const llvm::fltSemantics &format =
      type == DType::F16                         ? llvm::APFloat::IEEEhalf()
      : type == DType::BF16                      ? llvm::APFloat::BFloat()
      : type == DType::F32 || type == DType::C64 ? llvm::APFloat::IEEEsingle()
                                                 : llvm::APFloat::IEEEdouble();
  llvm::APFloat rounded(value);
  bool isInexact;
  rounded.convert(format, llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return rounded.convertToDouble();
}

static Integer wrapped(const Integer &value, DType type) {
  const unsigned bits = unsigned(itemSize(type)) * 8;
  llvm::APInt rest = value.bits().trunc(bits);
  return *Integer::of(isSigned(type) ? rest : rest.zext(bits + 1));
}

static __int128 saturated(double value, DType type) {
  const unsigned bits = unsigned(itemSize(type)) * 8 - isSigned(type);
  const __int128 limit = __int128(1) << bits;
  if (std::isnan(value))
    return 0;
  if (value >= double(limit))
    return limit - 1;
  if (value <= -double(limit) || (!isSigned(type) && value <= 0))
    return isSigned(type) ? -limit : 0;
  return __int128(value);
}

std::optional<Constant> convertConstant(const Constant &value, DType type) {
  if (type == DType::Bool)
    return Constant{truth(value)};
  if (isComplex(type)) {
    const Complex z = toComplex(value);
    return Constant{
        Complex(roundedTo(z.real(), type), roundedTo(z.imag(), type))};
  }
  if (value.isComplex())
    return std::nullopt;
  if (isFloat(type))
    return Constant{roundedTo(toDouble(value), type)};
  if (value.isFloat())
    return Constant{Integer(saturated(toDouble(value), type))};
  if (const Integer *integer = value.asInt())
    return Constant{wrapped(*integer, type)};
  return Constant{Integer(truth(value))};
}

} // namespace kern

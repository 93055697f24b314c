//===- PlainArithmetic.cpp - Python's arithmetic on plain numbers ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/PlainArithmetic.h"

#include "tools/kern/doctest/PlainIntegers.h"

#include <charconv>
#include <cmath>
#include <complex>
#include <optional>

namespace kern::cli {

using runtime::Error;
using runtime::Expected;

namespace {

using Complex = std::complex<double>;

/// An integer by its digits.
TestValue integer(std::string digits) {
  TestValue result;
  result.value.kind = KERN_VALUE_WEAK_INT;
  auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), result.value.as.integer);
  if (error != std::errc()) {
    result.value.as.integer = 0;
    result.wide = std::move(digits);
  }
  return result;
}
TestValue real(double number) {
  TestValue result;
  result.value.kind = KERN_VALUE_WEAK_FLOAT;
  result.value.as.real = number;
  return result;
}
TestValue complex(Complex number) {
  TestValue result;
  result.value.kind = KERN_VALUE_WEAK_COMPLEX;
  result.value.as.complex_parts[0] = number.real();
  result.value.as.complex_parts[1] = number.imag();
  return result;
}
TestValue boolean(bool flag) {
  TestValue result;
  result.value.kind = KERN_VALUE_SCALAR;
  result.value.dtype = KERN_BOOL;
  result.value.as.bits[0] = flag;
  return result;
}

bool isInteger(const TestValue &value) {
  return value.value.kind == KERN_VALUE_WEAK_INT;
}
bool isComplex(const TestValue &value) {
  return value.value.kind == KERN_VALUE_WEAK_COMPLEX;
}

/// Nothing for an integer beyond the largest float.
std::optional<double> toReal(const TestValue &value) {
  return isInteger(value) ? plainFloat(value.digits())
                          : std::optional(value.value.as.real);
}
std::optional<Complex> toComplex(const TestValue &value) {
  const kern_value &number = value.value;
  if (isComplex(value))
    return Complex(number.as.complex_parts[0], number.as.complex_parts[1]);
  std::optional<double> real = toReal(value);
  return real ? std::optional(Complex(*real)) : std::nullopt;
}

Error refuse(std::string message) {
  return {KERN_ERROR_ARGUMENT, std::move(message)};
}

template <typename T>
std::optional<bool> compare(std::string_view op, T a, T b) {
  if (op == "<")
    return a < b;
  if (op == "<=")
    return a <= b;
  if (op == ">")
    return a > b;
  if (op == ">=")
    return a >= b;
  if (op == "==")
    return a == b;
  if (op == "!=")
    return a != b;
  return std::nullopt;
}

/// The remainder has the sign of `b`.
double floorRemainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Expected<TestValue> integers(std::string_view op, const TestValue &a,
                             const TestValue &b) {
  PlainOutcome outcome = plainOperation(op, a.digits(), b.digits());
  if (!outcome.error.empty())
    return refuse(std::move(outcome.error));
  if (const bool *flag = std::get_if<bool>(&outcome.value))
    return boolean(*flag);
  if (const double *number = std::get_if<double>(&outcome.value))
    return real(*number);
  return integer(std::get<std::string>(std::move(outcome.value)));
}

/// A comparison of an integer and a float, which is by value.
std::optional<bool> compareByValue(std::string_view op, const TestValue &a,
                                   const TestValue &b) {
  const bool isFirst = isInteger(a);
  const TestValue &whole = isFirst ? a : b, &other = isFirst ? b : a;
  std::optional<int> order = plainOrder(whole.digits(), other.value.as.real);
  // NaN is neither less nor greater.
  if (!order)
    return compare(op, 0.0, std::nan(""));
  return isFirst ? compare(op, *order, 0) : compare(op, 0, *order);
}

Expected<TestValue> reals(std::string_view op, double a, double b) {
  if (std::optional<bool> flag = compare(op, a, b))
    return boolean(*flag);
  if (op == "+")
    return real(a + b);
  if (op == "-")
    return real(a - b);
  if (op == "*")
    return real(a * b);
  if (op == "**")
    return a < 0 && std::isfinite(b) && b != std::floor(b)
               ? complex(std::pow(Complex(a), Complex(b)))
               : real(std::pow(a, b));
  if (op != "/" && op != "//" && op != "%")
    return refuse("floats have no `" + std::string(op) + "`");
  if (b == 0)
    return refuse("division by zero");
  if (op == "/")
    return real(a / b);
  const double rest = floorRemainder(a, b);
  return real(op == "%" ? rest : std::round((a - rest) / b));
}

Expected<TestValue> complexes(std::string_view op, Complex a, Complex b) {
  if (op == "==" || op == "!=")
    return boolean((a == b) == (op == "=="));
  if (op == "+")
    return complex(a + b);
  if (op == "-")
    return complex(a - b);
  if (op == "*")
    return complex(a * b);
  if (op == "/" && b != 0.0)
    return complex(a / b);
  if (op == "**")
    return complex(std::pow(a, b));
  return refuse("complex numbers have no `" + std::string(op) + "`");
}

} // namespace

Expected<TestValue> plainArithmetic(std::string_view op, const TestValue &a,
                                    const TestValue &b) {
  if (isInteger(a) && isInteger(b))
    return integers(op, a, b);
  const Error tooLarge = refuse("an integer is too large for a float");
  if (isComplex(a) || isComplex(b)) {
    const std::optional<Complex> left = toComplex(a), right = toComplex(b);
    return left && right ? complexes(op, *left, *right) : tooLarge;
  }
  if (isInteger(a) != isInteger(b))
    if (std::optional<bool> flag = compareByValue(op, a, b))
      return boolean(*flag);
  const std::optional<double> left = toReal(a), right = toReal(b);
  return left && right ? reals(op, *left, *right) : tooLarge;
}

Expected<TestValue> plainNegative(const TestValue &a) {
  if (isComplex(a))
    return complex(-*toComplex(a));
  return isInteger(a) ? integers("-", integer("0"), a) : real(-a.value.as.real);
}

Expected<TestValue> plainInverse(const TestValue &a) {
  // -1 - a, since ~a + a is -1.
  return isInteger(a) ? integers("-", integer("-1"), a)
                      : refuse(isComplex(a) ? "complex numbers have no `~`"
                                            : "floats have no `~`");
}

Expected<TestValue> plainInteger(std::string_view literal) {
  PlainOutcome outcome = plainOperation("+", literal, "0");
  if (!outcome.error.empty())
    return refuse(std::move(outcome.error));
  return integer(std::get<std::string>(std::move(outcome.value)));
}

} // namespace kern::cli

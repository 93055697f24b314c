//===- PlainArithmetic.cpp - Python's arithmetic on plain numbers ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/PlainArithmetic.h"

#include <cmath>
#include <complex>
#include <optional>

namespace kern::cli {
namespace {

using Complex = std::complex<double>;

kern_value integer(int64_t number) {
  kern_value value{};
  value.kind = KERN_VALUE_WEAK_INT;
  value.as.integer = number;
  return value;
}
kern_value real(double number) {
  kern_value value{};
  value.kind = KERN_VALUE_WEAK_FLOAT;
  value.as.real = number;
  return value;
}
kern_value complex(Complex number) {
  kern_value value{};
  value.kind = KERN_VALUE_WEAK_COMPLEX;
  value.as.complex_parts[0] = number.real();
  value.as.complex_parts[1] = number.imag();
  return value;
}
kern_value boolean(bool flag) {
  kern_value value{};
  value.kind = KERN_VALUE_SCALAR;
  value.dtype = KERN_BOOL;
  value.as.bits[0] = flag;
  return value;
}

Complex toComplex(const kern_value &value) {
  if (value.kind == KERN_VALUE_WEAK_COMPLEX)
    return {value.as.complex_parts[0], value.as.complex_parts[1]};
  return value.kind == KERN_VALUE_WEAK_INT ? double(value.as.integer)
                                           : value.as.real;
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

Expected<kern_value> integers(std::string_view op, int64_t a, int64_t b) {
  if (std::optional<bool> flag = compare(op, a, b))
    return boolean(*flag);
  int64_t result = 0;
  bool overflow = false;
  if (op == "+") {
    overflow = __builtin_add_overflow(a, b, &result);
  } else if (op == "-") {
    overflow = __builtin_sub_overflow(a, b, &result);
  } else if (op == "*") {
    overflow = __builtin_mul_overflow(a, b, &result);
  } else if (op == "**") {
    if (b < 0)
      return a == 0 ? Expected<kern_value>(refuse("0 to a negative power"))
                    : real(std::pow(double(a), double(b)));
    result = 1;
    // Powers of 0, 1 and -1 alone stay in range for long.
    const int64_t steps = a >= -1 && a <= 1 ? (b == 0 ? 0 : 2 - b % 2) : b;
    for (int64_t i = 0; i < steps && !overflow; ++i)
      overflow = __builtin_mul_overflow(result, a, &result);
  } else if (b == 0) {
    return refuse("division by zero");
  } else if (op == "/") {
    return real(double(a) / double(b));
  } else if (b == -1) {
    if (op == "//")
      overflow = __builtin_sub_overflow(int64_t(0), a, &result);
  } else {
    const bool down = a % b != 0 && (a < 0) != (b < 0);
    result = op == "//" ? a / b - down : a % b + (down ? b : 0);
  }
  if (overflow)
    return refuse("an integer leaves the range of i64");
  return integer(result);
}

Expected<kern_value> reals(std::string_view op, double a, double b) {
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
  if (b == 0)
    return refuse("division by zero");
  if (op == "/")
    return real(a / b);
  const double rest = floorRemainder(a, b);
  return real(op == "%" ? rest : std::round((a - rest) / b));
}

Expected<kern_value> complexes(std::string_view op, Complex a, Complex b) {
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

Expected<kern_value> plainArithmetic(std::string_view op, const kern_value &a,
                                     const kern_value &b) {
  if (a.kind == KERN_VALUE_WEAK_COMPLEX || b.kind == KERN_VALUE_WEAK_COMPLEX)
    return complexes(op, toComplex(a), toComplex(b));
  if (a.kind == KERN_VALUE_WEAK_INT && b.kind == KERN_VALUE_WEAK_INT)
    return integers(op, a.as.integer, b.as.integer);
  return reals(op, toComplex(a).real(), toComplex(b).real());
}

kern_value plainNegative(const kern_value &a) {
  if (a.kind == KERN_VALUE_WEAK_COMPLEX)
    return complex(-toComplex(a));
  if (a.kind == KERN_VALUE_WEAK_INT)
    return integer(int64_t(uint64_t(0) - uint64_t(a.as.integer)));
  return real(-a.as.real);
}

} // namespace kern::cli

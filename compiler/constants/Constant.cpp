//===- Constant.cpp - values known at compile time ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/Constant.h"

namespace kern::compiler {

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

std::optional<double> toReal(const Constant &constant) {
  if (const bool *flag = std::get_if<bool>(&constant.value))
    return *flag;
  if (const Integer *integer = constant.asInt())
    return integer->toDouble();
  const double *number = std::get_if<double>(&constant.value);
  return number ? std::optional(*number) : std::nullopt;
}

std::optional<Complex> toComplex(const Constant &constant) {
  if (const Complex *value = std::get_if<Complex>(&constant.value))
    return *value;
  std::optional<double> real = toReal(constant);
  return real ? std::optional(Complex(*real, 0)) : std::nullopt;
}

} // namespace kern::compiler

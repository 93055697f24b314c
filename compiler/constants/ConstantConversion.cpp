//===- ConstantConversion.cpp - constants in other types ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/TypedConstants.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <limits>

namespace kern::compiler {

using runtime::DType;

using Complex = std::complex<double>;

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

/// Infinity, with the sign of an integer beyond the largest float.
static double largerThanAll(const Constant &value) {
  const Integer *integer = value.asInt();
  return std::copysign(std::numeric_limits<double>::infinity(),
                       integer && integer->isNegative() ? -1 : 1);
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
    const Complex z = toComplex(value).value_or(largerThanAll(value));
    return Constant{
        Complex(roundedTo(z.real(), type), roundedTo(z.imag(), type))};
  }
  if (value.isComplex())
    return std::nullopt;
  if (isFloat(type))
    return Constant{
        roundedTo(toReal(value).value_or(largerThanAll(value)), type)};
  if (value.isFloat())
    return Constant{Integer(saturated(std::get<double>(value.value), type))};
  if (const Integer *integer = value.asInt())
    return Constant{wrapped(*integer, type)};
  return Constant{Integer(truth(value))};
}

} // namespace kern::compiler

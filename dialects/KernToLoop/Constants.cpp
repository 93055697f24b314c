//===- Constants.cpp - literals of every type -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Casts.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;

namespace kern::ir {

using runtime::DType;

static Scalar fromInteger(ScalarBuilder &s, const llvm::APInt &value,
                          DType type) {
  if (type == DType::Bool)
    return s.boolean(!value.isZero());
  return s.integer(type, value);
}

static Scalar fromFloat(ScalarBuilder &s, const llvm::APFloat &value,
                        DType type) {
  if (type == DType::Bool)
    return s.boolean(!value.isZero());
  if (isFloat(type))
    return s.number(type, value);
  // This saturates, and NaN gives 0.
  llvm::APSInt integer(bitWidth(type), /*isUnsigned=*/isUnsigned(type));
  bool exact;
  value.convertToInteger(integer, llvm::APFloat::rmTowardZero, &exact);
  return s.integer(type, integer);
}

static std::optional<Scalar> fromReal(ScalarBuilder &s, Attribute value,
                                      DType type) {
  if (auto boolean = dyn_cast<BoolAttr>(value))
    return fromInteger(s, llvm::APInt(2, boolean.getValue()), type);
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return fromInteger(s, integer.getValue(), type);
  if (auto number = dyn_cast<FloatAttr>(value))
    return fromFloat(s, number.getValue(), type);
  return std::nullopt;
}

std::optional<Scalar> emitConstant(ScalarBuilder &s, Attribute value,
                                   DType type) {
  if (!isComplex(type))
    return fromReal(s, value, type);
  DType part = type == DType::C64 ? DType::F32 : DType::F64;
  auto pair = dyn_cast<ArrayAttr>(value);
  if (pair && pair.size() != 2)
    return std::nullopt;
  std::optional<Scalar> re = fromReal(s, pair ? pair[0] : value, part);
  std::optional<Scalar> im =
      pair ? fromReal(s, pair[1], part) : s.number(part, 0.0);
  if (!re || !im)
    return std::nullopt;
  return s.complex(*re, *im);
}

} // namespace kern::ir

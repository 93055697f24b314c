//===- ElementTypes.cpp - Kern's element types as MLIR types --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using kern::runtime::DType;

Type kern::ir::toType(MLIRContext *context, DType dtype) {
  auto integer = [&](unsigned width, bool isSigned) -> Type {
    return IntegerType::get(
        context, width, isSigned ? IntegerType::Signed : IntegerType::Unsigned);
  };
  switch (dtype) {
  case DType::Bool:
    return IntegerType::get(context, 1);
  case DType::I8:
  case DType::I16:
  case DType::I32:
  case DType::I64:
    return integer(unsigned(itemSize(dtype)) * 8, true);
  case DType::U8:
  case DType::U16:
  case DType::U32:
  case DType::U64:
    return integer(unsigned(itemSize(dtype)) * 8, false);
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  case DType::F64:
    return Float64Type::get(context);
  case DType::C64:
    return ComplexType::get(Float32Type::get(context));
  case DType::C128:
    return ComplexType::get(Float64Type::get(context));
  }
  llvm_unreachable("all element types are handled");
}

std::optional<kern::runtime::DType> kern::ir::toDType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.isSignless())
      return integer.getWidth() == 1 ? std::optional(DType::Bool)
                                     : std::nullopt;
    bool isSigned = integer.isSigned();
    switch (integer.getWidth()) {
    case 8:
      return isSigned ? DType::I8 : DType::U8;
    case 16:
      return isSigned ? DType::I16 : DType::U16;
    case 32:
      return isSigned ? DType::I32 : DType::U32;
    case 64:
      return isSigned ? DType::I64 : DType::U64;
    default:
      return std::nullopt;
    }
  }
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isF32())
    return DType::F32;
  if (type.isF64())
    return DType::F64;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return DType::C64;
    if (complex.getElementType().isF64())
      return DType::C128;
  }
  return std::nullopt;
}

bool kern::ir::holdsInteger(DType type, const llvm::APInt &value) {
  const unsigned width = unsigned(itemSize(type)) * 8;
  return isSigned(type) ? value.isSignedIntN(width)
                        : !value.isNegative() && value.isIntN(width);
}

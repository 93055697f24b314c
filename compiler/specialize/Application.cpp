//===- Application.cpp - which loop an application takes ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Application.h"

namespace kern::compiler {

using namespace ir;
using runtime::DType;

ValueType leavingType(ValueType value, llvm::ArrayRef<ValueType> arguments) {
  bool fromIndex = false;
  for (ValueType argument : arguments) {
    if (!argument.isWeak())
      return value;
    fromIndex |= argument.form == ValueType::Index;
  }
  // Weak integers are computed as i64.
  if (value.isWeak() || value.dtype == DType::U64)
    return value;
  return weakResult(value.dtype, fromIndex);
}

std::optional<ValueType> reductionType(ReduceKind kind, ValueType element) {
  DType carrier = element.carrier();
  switch (kind) {
  case ReduceKind::Any:
  case ReduceKind::All:
    return ValueType{ValueType::Typed, DType::Bool};
  case ReduceKind::ArgMin:
  case ReduceKind::ArgMax:
    return ValueType{ValueType::Typed, DType::I64};
  case ReduceKind::Min:
  case ReduceKind::Max:
    return element;
  case ReduceKind::Mean:
    if (element.form == ValueType::WeakInt || element.form == ValueType::Index)
      return ValueType{ValueType::WeakFloat};
    if (element.isWeak() || isFloat(carrier) || isComplex(carrier))
      return element;
    return ValueType{ValueType::Typed, DType::F64};
  case ReduceKind::Sum:
  case ReduceKind::Prod:
    if (element.isWeak() || isFloat(carrier) || isComplex(carrier))
      return element;
    return ValueType{ValueType::Typed,
                     isUnsigned(carrier) ? DType::U64 : DType::I64};
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<ValueType> accumulatorType(ReduceKind kind, ValueType element) {
  std::optional<ValueType> type = reductionType(kind, element);
  bool rounds = kind != ReduceKind::Min && kind != ReduceKind::Max;
  if (type && rounds && isFloat(type->carrier()) &&
      itemSize(type->carrier()) < itemSize(DType::F32))
    return ValueType{ValueType::Typed, DType::F32};
  return type;
}

} // namespace kern::compiler

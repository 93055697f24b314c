//===- Reductions.cpp - which reduction a type needs ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/KernToLoop/Reductions.h"

#include "dialects/Kern/ElementTypes.h"

namespace kern {

std::optional<DType> accumulatorType(ReduceOp op) {
  for (mlir::Block &block : op.getBody())
    if (auto yield = mlir::dyn_cast<YieldOp>(block.getTerminator()))
      if (mlir::Value value = yield.getValue())
        return toDType(value.getType());
  return std::nullopt;
}

std::optional<loop::ReduceKind> loopKind(ReduceKind kind, DType type) {
  using Loop = loop::ReduceKind;
  auto ordered = [&](Loop ofSigned, Loop ofUnsigned,
                     Loop ofFloat) -> std::optional<Loop> {
    if (isFloat(type) || isComplex(type))
      return ofFloat;
    return isSigned(type) ? ofSigned : ofUnsigned; // bool is unsigned
  };
  auto truth = [&](Loop found) -> std::optional<Loop> {
    return type == DType::Bool ? std::optional(found) : std::nullopt;
  };
  switch (kind) {
  case ReduceKind::Sum:
    return Loop::Sum;
  case ReduceKind::Prod:
    return Loop::Prod;
  case ReduceKind::Min:
    return ordered(Loop::SMin, Loop::UMin, Loop::FMinNan);
  case ReduceKind::Max:
    return ordered(Loop::SMax, Loop::UMax, Loop::FMaxNan);
  case ReduceKind::Any:
    return truth(Loop::Any);
  case ReduceKind::All:
    return truth(Loop::All);
  case ReduceKind::Mean: // a sum, when typed
    return std::nullopt;
  case ReduceKind::ArgMin:
    return ordered(Loop::ArgSMin, Loop::ArgUMin, Loop::ArgFMin);
  case ReduceKind::ArgMax:
    return ordered(Loop::ArgSMax, Loop::ArgUMax, Loop::ArgFMax);
  }
  return std::nullopt;
}

} // namespace kern

//===- Comparisons.cpp - comparisons with large constants -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers compare by value, those that are written out too: of what i64 does
// not hold, some are u64, and no integer reaches the others.
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specializer.h"

using namespace mlir;

namespace kern {

/// The value of an integer constant that i64 does not hold.
static std::optional<APInt> wideConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  std::optional<APInt> integer = constant ? constant.integer() : std::nullopt;
  return integer && !integer->isSignedIntN(64) ? integer : std::nullopt;
}

/// How the comparison of two numbers ends of which only the sign of the
/// difference is known, which is not 0.
static bool holdsFor(ScalarFunction function, bool isLess) {
  using enum ScalarFunction;
  switch (function) {
  case less:
  case less_equal:
    return isLess;
  case greater:
  case greater_equal:
    return !isLess;
  default:
    return function == not_equal;
  }
}

/// Makes a comparison of integers with a constant beyond i64 one with u64, and
/// returns false: it is still to be made; or makes what it is for every
/// integer, and returns true.
bool Specializer::compareByValue(ApplyOp apply, Application &application) {
  for (auto [index, operand] : llvm::enumerate(apply.getOperands())) {
    DType &type = application.loop.inputs[index];
    std::optional<APInt> value =
        isInteger(type) ? wideConstant(operand) : std::nullopt;
    if (!value)
      continue;
    if (value->isIntN(64)) { // not negative, or it would be an i64
      type = DType::U64;
      continue;
    }
    const bool isLess = value->isNegative() == (index == 0);
    values[apply.getResult(0)] = ConstantOp::create(
        builder, apply.getLoc(), builder.getI1Type(),
        builder.getBoolAttr(holdsFor(apply.getFunction(), isLess)));
    return true;
  }
  return false;
}

} // namespace kern

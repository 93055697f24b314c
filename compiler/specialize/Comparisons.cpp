//===- Comparisons.cpp - comparisons with large constants -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers compare by value, literals included. A literal beyond i64 is a u64
// if that holds it; otherwise the comparison is a constant.
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specializer.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

/// The value of an integer constant that does not fit in i64.
static std::optional<APInt> wideConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  std::optional<APInt> integer = constant ? constant.integer() : std::nullopt;
  return integer && !integer->isSignedIntN(64) ? integer : std::nullopt;
}

/// The result of comparing two unequal numbers, given the sign of their
/// difference.
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

/// Compares integers with a constant beyond i64. If u64 holds the constant,
/// selects a u64 comparison and returns false: the caller still makes it.
/// Otherwise the result is the same for every integer: makes it and returns
/// true.
bool Specializer::compareByValue(ApplyOp apply, Application &application) {
  for (auto [index, operand] : llvm::enumerate(apply.getOperands())) {
    DType &type = application.loop.inputs[index];
    std::optional<APInt> value =
        isInteger(type) ? wideConstant(operand) : std::nullopt;
    if (!value)
      continue;
    if (value->isIntN(64)) { // positive, or i64 would hold it
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

} // namespace kern::compiler

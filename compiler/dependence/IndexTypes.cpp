//===- IndexTypes.cpp - types of indices, as far as they are known --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/IndexForms.h"

using namespace mlir;

namespace kern {

bool IndexForms::isWideType(Attribute type) {
  auto named = dyn_cast_or_null<TypeAttr>(type);
  return named && named.getValue().isSignedInteger(64);
}

/// Whether the header or the body says that it is an integer.
static bool isDeclaredInteger(Value value) {
  auto isInteger = [](Attribute type) {
    auto named = dyn_cast_or_null<TypeAttr>(type);
    auto integer =
        named ? dyn_cast<IntegerType>(named.getValue()) : IntegerType();
    return integer && integer.getWidth() > 1;
  };
  if (auto load = value.getDefiningOp<LoadOp>())
    value = load.getArray();
  if (auto local = value.getDefiningOp<LocalOp>())
    return isInteger(local.getElementAttr());
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<FuncOp>(argument.getOwner()->getParentOp())
                       : FuncOp();
  if (!func || !argument.getOwner()->isEntryBlock())
    return false;
  unsigned number = argument.getArgNumber();
  for (OperandAttr operand : func.parameterInfos())
    if (!operand.getIsDim() && number-- == 0)
      return isInteger(operand.getType());
  for (OperandAttr operand : func.resultInfos())
    if (!operand.getCore().empty() && number-- == 0)
      return isInteger(operand.getType());
  return false;
}

static bool isIntegerArithmetic(StringRef name) {
  return llvm::is_contained(
      {"add", "subtract", "multiply", "floor_divide", "remainder", "divmod",
       "minimum", "maximum", "negative", "positive", "invert", "left_shift",
       "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor"},
      name);
}

/// How far to look for what a value is.
static constexpr unsigned farthest = 100;

bool IndexForms::isWide(Value value, unsigned distance) {
  if (distance > farthest)
    return false;
  if (counters.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    return argument.getOwner()->isEntryBlock() &&
           isa<ParallelOp, ReduceOp>(argument.getOwner()->getParentOp());
  }
  if (isa<IndexOp, DimOp>(op))
    return true;
  if (auto cast = dyn_cast<CastOp>(op))
    return isWideType(cast.getTarget());
  if (isa<LeaveOp>(op))
    return isWide(op->getOperand(0), distance + 1);
  if (auto enter = dyn_cast<EnterOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return number < enter.getParameters().size() &&
           isWideType(
               cast<OperandAttr>(enter.getParameters()[number]).getType());
  }
  auto apply = dyn_cast<ApplyOp>(op);
  return apply && isIntegerArithmetic(apply.getFunction()) &&
         llvm::any_of(apply.getOperands(), [&](Value operand) {
           return isWide(operand, distance + 1);
         });
}

bool IndexForms::isInteger(Value value, unsigned distance) {
  if (distance > farthest)
    return false;
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return knownInteger(constant).has_value();
  if (auto apply = value.getDefiningOp<ApplyOp>())
    return isIntegerArithmetic(apply.getFunction()) &&
           llvm::all_of(apply.getOperands(), [&](Value operand) {
             return isInteger(operand, distance + 1);
           });
  if (auto leave = value.getDefiningOp<LeaveOp>())
    return isInteger(leave.getValue(), distance + 1);
  return isWide(value) || isDeclaredInteger(value);
}

} // namespace kern

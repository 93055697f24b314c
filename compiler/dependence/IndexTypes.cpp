//===- IndexTypes.cpp - known types of indices ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/IndexForms.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

bool IndexForms::isWideType(Attribute type) {
  auto named = dyn_cast_or_null<TypeAttr>(type);
  return named && named.getValue().isSignedInteger(64);
}

/// Whether the header or the body declares it an integer.
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
  if (auto table = value.getDefiningOp<TableOp>())
    return table.getElement()
               ? isInteger(table.getElementAttr())
               : llvm::all_of(table.getValues(), llvm::IsaPred<IntegerAttr>);
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

static bool isIntegerArithmetic(ScalarFunction function) {
  using enum ScalarFunction;
  return llvm::is_contained({add, subtract, multiply, floor_divide, remainder,
                             divmod, minimum, maximum, negative, positive,
                             invert, left_shift, right_shift, bitwise_and,
                             bitwise_or, bitwise_xor},
                            function);
}

/// The values on which it depends what an integer operation gives: none, or
/// the operands of an operation that passes its operand on or computes with
/// integers.
static ValueRange integerOperands(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast_or_null<ApplyOp>(op);
      apply && isIntegerArithmetic(apply.getFunction()))
    return apply.getOperands();
  if (auto leave = dyn_cast_or_null<LeaveOp>(op))
    return leave->getOperands().take_front();
  return {};
}

/// How many values to look at for the type of one.
static constexpr size_t maxValues = 1000;

bool IndexForms::isWideByItself(Value value) {
  if (counters.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    Operation *loop = argument.getOwner()->getParentOp();
    if (auto scan = dyn_cast<ScanOp>(loop))
      return argument.getArgNumber() == 0 &&
             argument.getParentRegion() != &scan.getCombine() &&
             argument.getOwner()->isEntryBlock();
    return argument.getOwner()->isEntryBlock() &&
           isa<ParallelOp, ReduceOp>(loop);
  }
  if (isa<IndexOp, DimOp>(op))
    return true;
  if (auto cast = dyn_cast<CastOp>(op))
    return isWideType(cast.getTarget());
  if (auto enter = dyn_cast<EnterOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return number < enter.getParameters().size() &&
           isWideType(
               cast<OperandAttr>(enter.getParameters()[number]).getType());
  }
  return false;
}

bool IndexForms::isWide(Value value) {
  // Each value once, here and below: one that is used twice may be made of such
  // values.
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t i = 0; i < values.size() && i < maxValues; ++i) {
    if (isWideByItself(values[i]))
      return true;
    ValueRange operands = integerOperands(values[i]);
    values.insert(operands.begin(), operands.end());
  }
  return false;
}

bool IndexForms::isInteger(Value value) {
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == maxValues)
      return false;
    if (auto constant = values[i].getDefiningOp<ConstantOp>()) {
      if (!knownInteger(constant))
        return false;
      continue;
    }
    ValueRange operands = integerOperands(values[i]);
    if (operands.empty() && !isWide(values[i]) && !isDeclaredInteger(values[i]))
      return false;
    values.insert(operands.begin(), operands.end());
  }
  return true;
}

} // namespace kern::compiler

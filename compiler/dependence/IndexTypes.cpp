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

/// The type that the header or the body gives a scalar or the elements of an
/// array; null for one that it leaves open.
static Attribute declaredType(Value value) {
  if (auto load = value.getDefiningOp<LoadOp>())
    value = load.getArray();
  if (auto local = value.getDefiningOp<LocalOp>())
    return local.getElementAttr();
  if (auto table = value.getDefiningOp<TableOp>())
    return table.getElementAttr();
  auto argument = dyn_cast<BlockArgument>(value);
  auto func = argument ? dyn_cast<FuncOp>(argument.getOwner()->getParentOp())
                       : FuncOp();
  if (!func || !argument.getOwner()->isEntryBlock())
    return {};
  SmallVector<OperandAttr> operands = func.entryOperands();
  const unsigned number = argument.getArgNumber();
  return number < operands.size() ? operands[number].getType() : Attribute();
}

static IntegerType integerType(Attribute type) {
  auto named = dyn_cast_or_null<TypeAttr>(type);
  return named ? dyn_cast<IntegerType>(named.getValue()) : IntegerType();
}

static bool isDeclaredInteger(Value value) {
  auto load = value.getDefiningOp<LoadOp>();
  auto table = (load ? load.getArray() : value).getDefiningOp<TableOp>();
  if (table && !table.getElement())
    return llvm::all_of(table.getValues(), llvm::IsaPred<IntegerAttr>);
  IntegerType type = integerType(declaredType(value));
  return type && type.getWidth() > 1;
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

bool IndexForms::mayWrap(Value value) {
  auto isSafe = [](Attribute type) {
    IntegerType integer = integerType(type);
    return integer && !(integer.isUnsigned() && integer.getWidth() == 64);
  };
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == maxValues)
      return true;
    Value each = values[i];
    Operation *op = each.getDefiningOp();
    if (auto cast = dyn_cast_or_null<CastOp>(op);
        cast && isSafe(cast.getTarget()))
      continue;
    if (!isa_and_nonnull<ApplyOp, IndexOp, EnterOp, LeaveOp>(op)) {
      if (!isa_and_nonnull<ConstantOp>(op) && !isWideByItself(each) &&
          !isSafe(declaredType(each)))
        return true;
      continue;
    }
    values.insert(op->operand_begin(), op->operand_end());
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

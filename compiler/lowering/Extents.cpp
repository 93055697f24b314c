//===- Extents.cpp - what is known of sizes and indices -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kern {

/// Whether its operands decide whether a value is one of isShapeValue.
static bool isSizeArithmetic(Operation *op) {
  if (auto apply = dyn_cast<ApplyOp>(op))
    return dimOperator(apply.getFunction()).has_value();
  return isa<IndexOp>(op);
}

static bool isSize(Operation *op) {
  if (isa<DimOp>(op))
    return true;
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.integer().has_value();
  return false;
}

bool isShapeValue(Value value) {
  // Each value once: one that is used twice may be made of such values.
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (op && isSizeArithmetic(op))
      values.insert(op->operand_begin(), op->operand_end());
    else if (!op || !isSize(op))
      return false;
  }
  return true;
}

bool isLargeShape(Value value) {
  unsigned terms = 0;
  SmallVector<Value> rest{value};
  while (!rest.empty()) {
    Operation *op = rest.pop_back_val().getDefiningOp();
    if (op->getNumOperands() == 0 && ++terms > maxDimTerms)
      return true;
    llvm::append_range(rest, op->getOperands());
  }
  return false;
}

std::optional<int64_t> constantIndex(Value value) {
  while (auto index = value.getDefiningOp<IndexOp>())
    value = index.getValue();
  auto constant = value.getDefiningOp<ConstantOp>();
  std::optional<APInt> integer = constant ? constant.integer() : std::nullopt;
  return integer ? integer->trySExtValue() : std::nullopt;
}

} // namespace kern

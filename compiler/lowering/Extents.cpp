//===- Extents.cpp - what is known of sizes and indices -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"

using namespace mlir;

namespace kern {

bool isShapeValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<DimOp>(op))
    return true;
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.integer().has_value();
  bool isArithmetic = isa<IndexOp>(op);
  if (auto apply = dyn_cast<ApplyOp>(op))
    isArithmetic =
        llvm::is_contained({"add", "subtract", "multiply", "floor_divide",
                            "remainder", "minimum", "maximum"},
                           apply.getFunction());
  return isArithmetic && llvm::all_of(op->getOperands(), isShapeValue);
}

std::optional<int64_t> constantIndex(Value value) {
  while (auto index = value.getDefiningOp<IndexOp>())
    value = index.getValue();
  auto constant = value.getDefiningOp<ConstantOp>();
  std::optional<APInt> integer = constant ? constant.integer() : std::nullopt;
  return integer ? integer->trySExtValue() : std::nullopt;
}

} // namespace kern

//===- Counting.cpp - counters of loops -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Counting.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

std::optional<int64_t> knownInteger(Value value) {
  while (auto index = value.getDefiningOp<IndexOp>())
    value = index.getValue();
  auto constant = value.getDefiningOp<ConstantOp>();
  std::optional<APInt> integer = constant ? constant.integer() : std::nullopt;
  return integer ? integer->trySExtValue() : std::nullopt;
}

std::optional<Counting> countingOf(AccumulatorOp accumulator, Value next,
                                   Operation *back) {
  auto apply = next.getDefiningOp<ApplyOp>();
  auto argument = dyn_cast<BlockArgument>(accumulator.getValue());
  bool isSum = apply && apply.getFunction() == ScalarFunction::add;
  if (!argument ||
      !(isSum || (apply && apply.getFunction() == ScalarFunction::subtract)))
    return std::nullopt;
  std::optional<int64_t> step;
  if (apply.getOperand(0) == accumulator)
    step = knownInteger(apply.getOperand(1));
  else if (isSum && apply.getOperand(1) == accumulator)
    step = knownInteger(apply.getOperand(0));
  if (!step || *step == 0 || !llvm::isInt<31>(*step))
    return std::nullopt;
  for (Block *before : argument.getOwner()->getPredecessors()) {
    auto enter = dyn_cast<cf::BranchOp>(before->getTerminator());
    if (!enter || enter == back)
      continue;
    // A narrower integer may overflow.
    Value first = enter.getDestOperands()[argument.getArgNumber()];
    if (knownInteger(first) || first.getDefiningOp<IndexOp>() ||
        first.getDefiningOp<DimOp>())
      return Counting{first, nullptr, isSum ? *step : -*step};
  }
  return std::nullopt;
}

} // namespace kern::compiler

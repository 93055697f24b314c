//===- LaneSteps.cpp - values that advance from lane to lane --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

std::optional<int64_t>
kern::ir::loop::stepAlong(Value counter, Value value,
                          function_ref<bool(Value)> isFixed) {
  if (value == counter)
    return 1;
  if (isFixed(value))
    return 0;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  auto of = [&](unsigned operand) {
    return stepAlong(counter, op->getOperand(operand), isFixed);
  };
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    std::optional<int64_t> a = of(0), b = of(1);
    if (!a || !b)
      return std::nullopt;
    return isa<arith::AddIOp>(op) ? *a + *b : *a - *b;
  }
  if (isa<arith::MulIOp>(op))
    for (unsigned factor : {0u, 1u}) {
      APInt constant;
      if (std::optional<int64_t> step = of(1 - factor);
          step &&
          matchPattern(op->getOperand(factor), m_ConstantInt(&constant)))
        return *step * constant.getSExtValue();
    }
  return std::nullopt;
}

std::optional<int64_t>
kern::ir::loop::addressStep(Value counter, Value address,
                            function_ref<bool(Value)> isFixed) {
  int64_t bytes = 0;
  while (auto element = address.getDefiningOp<LLVM::GEPOp>()) {
    for (auto index : element.getIndices())
      if (auto offset = dyn_cast<Value>(index)) {
        std::optional<int64_t> step = stepAlong(counter, offset, isFixed);
        if (!step)
          return std::nullopt;
        bytes += *step;
      }
    address = element.getBase();
  }
  return bytes;
}

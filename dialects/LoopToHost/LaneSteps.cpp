//===- LaneSteps.cpp - values that advance from lane to lane --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace {
/// Finds the step of a value from those of its operands, each once.
class Steps {
public:
  Steps(Value counter, function_ref<bool(Value)> isFixed)
      : counter(counter), isFixed(isFixed) {}

  std::optional<int64_t> of(Value value) {
    if (value == counter)
      return 1;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    std::optional<int64_t> step = isFixed(value) ? 0 : ofVarying(value);
    known.insert({value, step});
    return step;
  }

private:
  std::optional<int64_t> ofVarying(Value value);

  Value counter;
  function_ref<bool(Value)> isFixed;
  llvm::SmallDenseMap<Value, std::optional<int64_t>> known;
};
} // namespace

std::optional<int64_t> Steps::ofVarying(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    std::optional<int64_t> a = of(op->getOperand(0)),
                           b = a ? of(op->getOperand(1)) : std::nullopt;
    int64_t step = 0;
    const bool overflows =
        !b || (isa<arith::AddIOp>(op) ? llvm::AddOverflow(*a, *b, step)
                                      : llvm::SubOverflow(*a, *b, step));
    return overflows ? std::nullopt : std::optional(step);
  }
  if (isa_and_nonnull<arith::MulIOp>(op))
    for (unsigned factor : {0u, 1u}) {
      APInt constant;
      int64_t product = 0;
      if (std::optional<int64_t> step = of(op->getOperand(1 - factor));
          step &&
          matchPattern(op->getOperand(factor), m_ConstantInt(&constant)))
        return llvm::MulOverflow(*step, constant.getSExtValue(), product)
                   ? std::nullopt
                   : std::optional(product);
    }
  return std::nullopt;
}

std::optional<int64_t>
kern::ir::loop::stepAlong(Value counter, Value value,
                          function_ref<bool(Value)> isFixed) {
  return Steps(counter, isFixed).of(value);
}

std::optional<int64_t>
kern::ir::loop::addressStep(Value counter, Value address,
                            function_ref<bool(Value)> isFixed) {
  int64_t bytes = 0;
  Steps steps(counter, isFixed);
  while (auto element = address.getDefiningOp<LLVM::GEPOp>()) {
    for (auto index : element.getIndices())
      if (auto offset = dyn_cast<Value>(index)) {
        std::optional<int64_t> step = steps.of(offset);
        if (!step)
          return std::nullopt;
        bytes += *step;
      }
    address = element.getBase();
  }
  return bytes;
}

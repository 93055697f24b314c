//===- Affine.cpp - how indices follow from loops -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Affine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

std::optional<unsigned> kern::ir::loop::operandOf(KernelOp kernel,
                                                  Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  if (!argument || argument.getOwner() != &kernel.entry())
    return std::nullopt;
  unsigned number = argument.getArgNumber();
  if (number < kernel.getNumInputs())
    return number;
  // An output without core dimensions is a result, not an argument.
  unsigned ahead = number - unsigned(kernel.getNumInputs());
  for (auto [k, rank] : llvm::enumerate(kernel.getOutputRanks()))
    if (rank > 0 && ahead-- == 0)
      return unsigned(kernel.getNumInputs() + k);
  return std::nullopt;
}

namespace {

class StepFinder {
public:
  StepFinder(KernelOp kernel, Value inner, int64_t step)
      : kernel(kernel), inner(inner), step(step),
        count(kernel.numFlat() + (inner ? 1 : 0)) {}

  using Steps = SmallVector<int64_t>;

  std::optional<Steps> of(Value value, unsigned depth = 0) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    // A failure ends the search, so only successes are met again.
    std::optional<Steps> steps = compute(value, depth);
    if (steps)
      known.insert({value, *steps});
    return steps;
  }

private:
  static constexpr unsigned maxDepth = 12;

  std::optional<Steps> compute(Value value, unsigned depth) {
    if (depth > maxDepth)
      return std::nullopt;
    if (value == inner)
      return unit(count - 1, step);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto flat = kernel.flatIndices();
      for (auto [i, index] : llvm::enumerate(flat))
        if (index == argument)
          return unit(i, 1);
      // A dimension or the index of an outer loop does not change.
      bool isNumber = argument.getOwner() != &kernel.entry() ||
                      llvm::is_contained(kernel.dims(), argument);
      return isNumber ? std::optional(Steps(count, 0)) : std::nullopt;
    }
    Operation *op = value.getDefiningOp();
    if (!isMemoryEffectFree(op) || isa<LoadOp, ReduceOp, ScanOp>(op))
      return std::nullopt;
    SmallVector<Steps> operands;
    for (Value operand : op->getOperands()) {
      std::optional<Steps> steps = of(operand, depth + 1);
      if (!steps)
        return std::nullopt;
      operands.push_back(std::move(*steps));
    }
    return combine(op, operands);
  }

  Steps unit(size_t index, int64_t by) {
    Steps steps(count, 0);
    steps[index] = by;
    return steps;
  }

  std::optional<Steps> combine(Operation *op, ArrayRef<Steps> operands) {
    auto standsStill = [](const Steps &steps) {
      return llvm::all_of(steps, [](int64_t step) { return step == 0; });
    };
    if (llvm::all_of(operands, standsStill))
      return Steps(count, 0);
    auto apply = [&](auto overflows) -> std::optional<Steps> {
      Steps sum(count, 0);
      for (size_t i = 0; i < count; ++i)
        if (overflows(operands[0][i], operands[1][i], &sum[i]))
          return std::nullopt;
      return sum;
    };
    if (isa<arith::AddIOp>(op))
      return apply([](int64_t a, int64_t b, int64_t *sum) {
        return __builtin_add_overflow(a, b, sum);
      });
    if (isa<arith::SubIOp>(op))
      return apply([](int64_t a, int64_t b, int64_t *sum) {
        return __builtin_sub_overflow(a, b, sum);
      });
    if (!isa<arith::MulIOp>(op))
      return std::nullopt;
    for (unsigned k : {0u, 1u}) {
      APInt factor;
      if (!matchPattern(op->getOperand(1 - k), m_ConstantInt(&factor)))
        continue;
      Steps steps = operands[k];
      for (int64_t &step : steps)
        if (__builtin_mul_overflow(step, factor.getSExtValue(), &step))
          return std::nullopt;
      return steps;
    }
    return std::nullopt;
  }

  KernelOp kernel;
  Value inner;
  int64_t step;
  size_t count;
  llvm::DenseMap<Value, Steps> known;
};

} // namespace

std::optional<SmallVector<int64_t>> kern::ir::loop::stepsOf(KernelOp kernel,
                                                            Value index,
                                                            Value inner,
                                                            int64_t step) {
  return StepFinder(kernel, inner, step).of(index);
}

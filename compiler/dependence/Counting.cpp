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

/// The constant range of a counter: its first and last value, in order.
static std::optional<std::pair<int64_t, int64_t>> rangeOf(Value value) {
  auto counter = dyn_cast<BlockArgument>(value);
  if (!counter || !counter.getOwner()->isEntryBlock())
    return std::nullopt;
  Operation *loop = counter.getOwner()->getParentOp();
  const unsigned number = counter.getArgNumber();
  Value lower, upper, step;
  if (auto reduce = dyn_cast<ReduceOp>(loop); reduce && number == 0) {
    lower = reduce.getLower();
    upper = reduce.getUpper();
    step = reduce.getStep();
  } else if (auto parallel = dyn_cast<ParallelOp>(loop);
             parallel && number < parallel.getLowers().size()) {
    lower = parallel.getLowers()[number];
    upper = parallel.getUppers()[number];
    step = parallel.getSteps()[number];
  } else {
    return std::nullopt;
  }
  constexpr int64_t most = int64_t(1) << 31; // what follows does not overflow
  const std::optional<int64_t> first = knownInteger(lower),
                               end = knownInteger(upper),
                               by = knownInteger(step);
  for (const std::optional<int64_t> &each : {first, end, by})
    if (!each || std::abs(*each) > most)
      return std::nullopt;
  if (*by <= 0 || *first >= *end)
    return std::nullopt;
  return std::pair(*first, *first + (*end - 1 - *first) / *by * *by);
}

/// The largest element of a table of integers that a counter goes through.
static std::optional<int64_t> largestElement(LoadOp load) {
  auto table = load.getArray().getDefiningOp<TableOp>();
  if (!table || load.getIndices().size() != 1)
    return std::nullopt;
  auto range = rangeOf(load.getIndices().front());
  if (!range || range->first != 0 ||
      range->second + 1 != int64_t(table.getValues().size()))
    return std::nullopt;
  std::optional<int64_t> largest;
  for (Attribute value : table.getValues()) {
    auto integer = dyn_cast<IntegerAttr>(value);
    std::optional<int64_t> known = integer && !integer.getType().isInteger(1)
                                       ? integer.getValue().trySExtValue()
                                       : std::nullopt;
    if (!known || std::abs(*known) > int64_t(1) << 31)
      return std::nullopt;
    largest = std::max(largest.value_or(*known), *known);
  }
  return largest;
}

std::optional<int64_t> largestIndex(Value value) {
  if (auto index = value.getDefiningOp<IndexOp>())
    return largestIndex(index.getValue());
  if (auto range = rangeOf(value))
    return range->second;
  if (auto load = value.getDefiningOp<LoadOp>())
    return largestElement(load);
  auto apply = value.getDefiningOp<ApplyOp>();
  const bool isSum = apply && apply.getFunction() == ScalarFunction::add;
  if (!isSum && !(apply && apply.getFunction() == ScalarFunction::subtract))
    return std::nullopt;
  if (apply.getOperands().size() != 2)
    return std::nullopt;
  Value left = apply.getOperand(0), right = apply.getOperand(1);
  if (isSum && knownInteger(left))
    std::swap(left, right);
  const std::optional<int64_t> more = knownInteger(right);
  if (!more || std::abs(*more) > int64_t(1) << 31)
    return std::nullopt;
  const std::optional<int64_t> largest = largestIndex(left);
  if (!largest || std::abs(*largest) > int64_t(1) << 40)
    return std::nullopt;
  return isSum ? *largest + *more : *largest - *more;
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

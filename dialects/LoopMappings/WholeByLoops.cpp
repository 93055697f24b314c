//===- WholeByLoops.cpp - results that loops write whole ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopMappings/StagePlan.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

/// A result, and where it is written.
class Result {
public:
  Result(KernelOp kernel, Value array, ArrayAttr core)
      : kernel(kernel), array(array) {
    for (auto extent : core.getAsRange<ArrayAttr>())
      extents.push_back(tokensOf(extent));
  }

  /// What is in other blocks of the kernel than the first comes after it.
  bool isWhole() {
    for (Operation &op : kernel.entry()) {
      if (isRead(&op))
        return false;
      if (auto loop = dyn_cast<ParallelOp>(op); loop && isFilledBy(loop))
        return true;
    }
    return false;
  }

private:
  /// A range of a loop that goes over an extent from 0 on.
  struct Range {
    Value index;
    DimTokens extent;
  };

  bool isRead(Operation *op) const {
    return op
        ->walk([&](Operation *inner) {
          auto store = dyn_cast<StoreOp>(inner);
          const bool isOther =
              llvm::is_contained(inner->getOperands(), array) &&
              !(store && store.getArray() == array);
          return isOther ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Loops around `loop` are in `ranges`. The first block of a loop's body runs
  /// in each iteration.
  bool isFilledBy(ParallelOp loop) {
    const size_t outer = ranges.size();
    bool isKnown = true;
    for (auto [index, lower, upper, step] :
         llvm::zip(loop.entry().getArguments(), loop.getLower(),
                   loop.getUpper(), loop.getStep())) {
      auto extent = tripExpression(kernel, lower, upper, step);
      auto first = dimExpression(kernel, lower);
      isKnown = isKnown && extent && first && first->size() == 1 &&
                (*first)[0].isInteger(0) && isOne(step);
      if (isKnown)
        ranges.push_back({index, *extent});
    }
    bool isFilled = false;
    if (isKnown && ranges.size() <= extents.size())
      for (Operation &op : loop.entry()) {
        if (auto store = dyn_cast<StoreOp>(op))
          isFilled |= store.getArray() == array && goesOverAll(store);
        else if (auto inner = dyn_cast<ParallelOp>(op))
          isFilled |= isFilledBy(inner);
      }
    ranges.resize(outer);
    return isFilled;
  }

  static bool isOne(Value step) {
    return getConstantIntValue(step) == std::optional<int64_t>(1);
  }

  /// Each index is that of another range, which has its dimension's extent. A
  /// range without an index might be empty.
  bool goesOverAll(StoreOp store) const {
    if (ranges.size() != extents.size())
      return false;
    llvm::SmallPtrSet<void *, 4> seen;
    for (auto [index, extent] : llvm::zip(store.getIndices(), extents)) {
      const auto *found = llvm::find_if(ranges, [&](const Range &range) {
        return range.index == index && range.extent == extent;
      });
      if (found == ranges.end() ||
          !seen.insert(found->index.getAsOpaquePointer()).second)
        return false;
    }
    return true;
  }

  KernelOp kernel;
  Value array;
  SmallVector<DimTokens> extents;
  SmallVector<Range> ranges;
};

} // namespace

std::vector<unsigned> kern::ir::loop::wholeResults(KernelOp kernel) {
  std::vector<unsigned> whole;
  if (!kernel.getCoreExtents())
    return whole;
  for (BlockArgument array : kernel.arrayOutputs()) {
    const unsigned operand = *operandOf(kernel, array);
    auto core = cast<ArrayAttr>((*kernel.getCoreExtents())[operand]);
    if (Result(kernel, array, core).isWhole())
      whole.push_back(operand);
  }
  return whole;
}

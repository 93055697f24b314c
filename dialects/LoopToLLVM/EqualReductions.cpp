//===- EqualReductions.cpp - reductions that are written twice ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/EqualReductions.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {
/// Compares values and operations outside of the reductions, and within them.
class Comparison {
public:
  bool areEqual(ReduceOp one, ReduceOp other) {
    return areEqual(one.getOperation(), other.getOperation());
  }

private:
  static constexpr unsigned deepest = 12;

  bool areEqual(Operation *one, Operation *other);
  bool areEqual(Value one, Value other);
  bool areEqual(Region &one, Region &other);

  llvm::DenseMap<Value, Value> same; ///< within the reductions
  unsigned depth = 0;
};
} // namespace

bool Comparison::areEqual(Value one, Value other) {
  if (one == other)
    return true;
  if (auto found = same.find(one); found != same.end())
    return found->second == other;
  // Outside: constants, and what is computed from equal values.
  Operation *a = one.getDefiningOp(), *b = other.getDefiningOp();
  if (!a || !b || a->getNumRegions() || !isPure(a) ||
      cast<OpResult>(one).getResultNumber() !=
          cast<OpResult>(other).getResultNumber() ||
      depth == deepest)
    return false;
  ++depth;
  const bool isSame = areEqual(a, b);
  --depth;
  return isSame;
}

bool Comparison::areEqual(Operation *one, Operation *other) {
  if (one->getName() != other->getName() ||
      one->getAttrDictionary() != other->getAttrDictionary() ||
      one->getResultTypes() != other->getResultTypes() ||
      one->getNumOperands() != other->getNumOperands() ||
      one->getNumRegions() != other->getNumRegions())
    return false;
  for (auto [a, b] : llvm::zip(one->getOperands(), other->getOperands()))
    if (!areEqual(a, b))
      return false;
  for (auto [a, b] : llvm::zip(one->getRegions(), other->getRegions()))
    if (!areEqual(a, b))
      return false;
  for (auto [a, b] : llvm::zip(one->getResults(), other->getResults()))
    same.insert({a, b});
  return true;
}

bool Comparison::areEqual(Region &one, Region &other) {
  if (one.empty() || other.empty())
    return one.empty() && other.empty();
  if (!one.hasOneBlock() || !other.hasOneBlock())
    return false;
  Block &a = one.front(), &b = other.front();
  if (a.getArgumentTypes() != b.getArgumentTypes() ||
      a.getOperations().size() != b.getOperations().size())
    return false;
  for (auto [x, y] : llvm::zip(a.getArguments(), b.getArguments()))
    same.insert({x, y});
  return llvm::all_of(llvm::zip(a, b), [&](auto pair) {
    return areEqual(&std::get<0>(pair), &std::get<1>(pair));
  });
}

/// Whether an operation, or one in it, may write to an array that a reduction
/// reads.
static bool mayWrite(Operation *op, const SmallPtrSetImpl<Value> &arrays) {
  return op
      ->walk([&](Operation *inner) {
        const bool isHarmless =
            isa<LoadOp, ParallelOp, ReduceOp, ScanOp, LocalOp>(inner) ||
            isMemoryEffectFree(inner);
        const bool writes =
            !isHarmless &&
            llvm::any_of(inner->getOperands(),
                         [&](Value operand) { return arrays.count(operand); });
        return writes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Adds the arrays that a reduction reads; false if it does more than to read.
static bool readsOnly(ReduceOp reduce, SmallPtrSetImpl<Value> &arrays) {
  return !reduce
              ->walk([&](Operation *op) {
                if (auto load = dyn_cast<LoadOp>(op))
                  arrays.insert(load.getArray());
                else if (!isa<ReduceOp>(op) && !isMemoryEffectFree(op))
                  return WalkResult::interrupt();
                return WalkResult::advance();
              })
              .wasInterrupted();
}

/// Merges a reduction with an earlier one of its block, if one is equal.
static void mergeWithEarlier(ReduceOp reduce) {
  SmallPtrSet<Value, 4> arrays;
  if (!readsOnly(reduce, arrays))
    return;
  for (Operation *op = reduce->getPrevNode(); op; op = op->getPrevNode()) {
    auto earlier = dyn_cast<ReduceOp>(op);
    if (earlier && Comparison().areEqual(earlier, reduce)) {
      reduce->replaceAllUsesWith(earlier);
      reduce->erase();
      return;
    }
    if (mayWrite(op, arrays))
      return;
  }
}

void kern::ir::loop::mergeReductions(KernelOp kernel) {
  // In order within a block, and inner ones first: erasing one erases those in
  // it.
  SmallVector<ReduceOp> reductions;
  kernel.getBody().walk<WalkOrder::PostOrder>(
      [&](ReduceOp reduce) { reductions.push_back(reduce); });
  for (ReduceOp reduce : reductions)
    mergeWithEarlier(reduce);
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPMERGEREDUCTIONS
#include "dialects/Passes.h.inc"

namespace {
struct MergeReductionsPass
    : impl::LoopMergeReductionsBase<MergeReductionsPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      mergeReductions(kernel);
  }
};
} // namespace

} // namespace kern::ir

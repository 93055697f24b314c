//===- Selects.cpp - choices in place of branches -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Selects.h"

#include "dialects/LoopToLLVM/GroupSharing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

/// What one side of a branch does before both meet.
struct Arm {
  Block *block = nullptr; ///< NULL: nothing
  SmallVector<Operation *> work;
  SmallVector<std::pair<LoadOp, LoadOp>> known; ///< with the load before
  SmallVector<StoreOp> stores;
  ValueRange passed; ///< to the block in which they meet
};

class Branch {
public:
  /// The branch at the end of a block.
  explicit Branch(Block &before) : before(before) {}

  /// Whether both sides can run, one after the other.
  bool find();
  void convert();

private:
  /// False if the arm does more than a few steps of arithmetic.
  bool findArm(Arm &arm) const;
  /// The load before the branch that has the value of one in an arm.
  LoadOp knownBefore(LoadOp load) const;
  bool storesMeet() const;

  Block &before, *after = nullptr;
  cf::CondBranchOp branch;
  Arm whenTrue, whenFalse;
};

} // namespace

LoadOp Branch::knownBefore(LoadOp load) const {
  for (Operation &op : llvm::reverse(before)) {
    auto other = dyn_cast<LoadOp>(op);
    if (other && other.getArray() == load.getArray() &&
        other.getIndices() == load.getIndices() &&
        other.getType() == load.getType())
      return other;
    if (!other && accessedArray(&op) == load.getArray())
      return nullptr;
    if (!accessedArray(&op) && !isMemoryEffectFree(&op))
      return nullptr;
  }
  return nullptr;
}

bool Branch::findArm(Arm &arm) const {
  // Beyond these a branch that all lanes take the same way is quicker.
  constexpr size_t fewSteps = 16;
  for (Operation &op : arm.block->without_terminator()) {
    if (auto store = dyn_cast<StoreOp>(op)) {
      arm.stores.push_back(store);
      continue;
    }
    if (auto load = dyn_cast<LoadOp>(op)) {
      LoadOp known = knownBefore(load);
      if (!known || !arm.stores.empty())
        return false;
      arm.known.push_back({load, known});
      continue;
    }
    if (!isa<arith::ArithDialect>(op.getDialect()) || op.getNumRegions() ||
        !isSpeculatable(&op) || !isMemoryEffectFree(&op))
      return false;
    arm.work.push_back(&op);
  }
  return arm.work.size() <= fewSteps;
}

bool Branch::storesMeet() const {
  return llvm::equal(
      whenTrue.stores, whenFalse.stores, [](StoreOp one, StoreOp other) {
        return one.getArray() == other.getArray() &&
               one.getIndices() == other.getIndices() &&
               one.getValue().getType() == other.getValue().getType();
      });
}

bool Branch::find() {
  branch = dyn_cast<cf::CondBranchOp>(before.getTerminator());
  if (!branch || branch.getTrueDest() == branch.getFalseDest())
    return false;
  // Where a side leads, if it is a block of its own.
  auto beyond = [&](Block *side) -> Block * {
    auto on = dyn_cast<cf::BranchOp>(side->getTerminator());
    return on && side->getSinglePredecessor() && !side->getNumArguments()
               ? on.getDest()
               : nullptr;
  };
  Block *left = branch.getTrueDest(), *right = branch.getFalseDest();
  Block *leftOn = beyond(left), *rightOn = beyond(right);
  if (leftOn && leftOn == rightOn)
    after = leftOn;
  else if (leftOn == right)
    after = right;
  else if (rightOn == left)
    after = left;
  if (!after || after == &before)
    return false;
  auto take = [&](Arm &arm, Block *side, ValueRange passed) {
    if (side == after) {
      arm.passed = passed;
      return true;
    }
    arm.block = side;
    arm.passed = cast<cf::BranchOp>(side->getTerminator()).getDestOperands();
    return findArm(arm);
  };
  return take(whenTrue, left, branch.getTrueDestOperands()) &&
         take(whenFalse, right, branch.getFalseDestOperands()) && storesMeet();
}

void Branch::convert() {
  OpBuilder b(branch);
  Location loc = branch.getLoc();
  for (Arm *arm : {&whenTrue, &whenFalse}) {
    for (auto [load, known] : arm->known)
      load.replaceAllUsesWith(known.getResult());
    for (Operation *op : arm->work)
      op->moveBefore(branch);
  }
  auto choose = [&](Value one, Value other) {
    return one == other ? one
                        : arith::SelectOp::create(b, loc, branch.getCondition(),
                                                  one, other);
  };
  for (auto [one, other] : llvm::zip(whenTrue.stores, whenFalse.stores))
    StoreOp::create(b, one.getLoc(), choose(one.getValue(), other.getValue()),
                    one.getArray(), one.getIndices());
  SmallVector<Value> passed;
  for (auto [one, other] : llvm::zip(whenTrue.passed, whenFalse.passed))
    passed.push_back(choose(one, other));
  cf::BranchOp::create(b, loc, after, passed);
  branch.erase();
  for (Arm *arm : {&whenTrue, &whenFalse})
    if (arm->block)
      arm->block->erase();
}

/// Joins a block and the only one after it. False if there is none, or if that
/// follows others too.
static bool joinNext(Block &block) {
  auto branch = dyn_cast<cf::BranchOp>(block.getTerminator());
  if (!branch || branch.getDest()->getSinglePredecessor() != &block)
    return false;
  Block *next = branch.getDest();
  for (auto [argument, value] :
       llvm::zip(next->getArguments(), branch.getDestOperands()))
    argument.replaceAllUsesWith(value);
  branch.erase();
  block.getOperations().splice(block.end(), next->getOperations());
  next->erase();
  return true;
}

/// Converts one branch, or joins two blocks. False if there are none.
static bool simplify(KernelOp kernel) {
  for (Block &block : kernel.getBody()) {
    if (joinNext(block))
      return true;
    if (Branch branch(block); branch.find()) {
      branch.convert();
      return true;
    }
  }
  return false;
}

void kern::ir::loop::branchesToSelects(KernelOp kernel) {
  if (kernel.getBody().hasOneBlock())
    return;
  auto convert = [](KernelOp all) {
    // Equal indices are one value then.
    IRRewriter rewriter(all.getContext());
    DominanceInfo dominance(all);
    eliminateCommonSubExpressions(rewriter, dominance, all);
    while (simplify(all)) {
    }
    return all.getBody().hasOneBlock();
  };
  OwningOpRef<KernelOp> copy = kernel.clone();
  if (convert(*copy))
    convert(kernel);
}

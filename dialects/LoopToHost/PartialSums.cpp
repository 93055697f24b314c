//===- PartialSums.cpp - sums of floats by lanes, written out -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/PartialSums.h"

#include "dialects/LoopToHost/VectorLoops.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

/// The addition or multiplication of which LLVM may group the operands; null
/// for any other value.
static Operation *groupedOf(Value next) {
  Operation *op = next.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::MulFOp>(op))
    return nullptr;
  auto flags =
      cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr().getValue();
  return arith::bitEnumContainsAll(flags, arith::FastMathFlags::reassoc)
             ? op
             : nullptr;
}

/// Whether LLVM makes vectors of a loop with a call, whatever the C library.
/// Functions of Kern's own library have branches, and sums of theirs go in
/// order along a core.
static bool isInVectors(func::CallOp call) {
  StringRef name = call.getCallee();
  name.consume_front("kern.");
  return llvm::is_contained({"exp", "log", "sin", "cos"},
                            name.split('.').first);
}

/// Why a loop that carries sums cannot have partial ones.
static std::string obstacleOf(const std::optional<CountedLoop> &loop) {
  constexpr StringLiteral other = "has a sum in a loop of another kind";
  if (!loop || !loop->isOutside(loop->trips) ||
      loop->exit->getSinglePredecessor() != loop->header ||
      loop->body->getSinglePredecessor() != loop->header)
    return other.str();
  for (Block *before : loop->header->getPredecessors()) {
    auto branch = dyn_cast<cf::BranchOp>(before->getTerminator());
    bool begins = branch && !loop->contains(before) &&
                  matchPattern(branch.getDestOperands().front(), m_Zero());
    if (!begins && branch != loop->latch)
      return other.str();
  }
  for (Block *block : loop->blocks)
    for (auto call : block->getOps<func::CallOp>())
      if (!isInVectors(call))
        return "has a sum of a function without vectors";
  return "";
}

/// Whether LLVM may remove a loop: it can write it out, or knows its result.
static bool mayVanish(const CountedLoop &loop) {
  return matchPattern(loop.trips, m_Constant()) ||
         llvm::all_of(loop.blocks, [](Block *block) {
           return block->getOps<LLVM::LoadOp>().empty();
         });
}

/// Whether a loop carries a sum from one iteration to the next, or from one run
/// of the loop inside to the next.
static bool carriesSum(const CountedLoop &loop, const CountedLoop &inside) {
  return llvm::any_of(loop.latch->getOperands(), [&](Value next) {
    auto total = dyn_cast<BlockArgument>(next);
    if (total && total.getOwner() == inside.header)
      next = inside.latch->getOperand(total.getArgNumber());
    return groupedOf(next) != nullptr;
  });
}

/// Whether a loop carries a sum and has one inside that does not count, such as
/// that of a power, of which LLVM may know that it ends at once.
static bool hasOtherLoop(const CountedLoop &loop, DominanceInfo &dominance) {
  if (llvm::none_of(loop.latch->getOperands(), groupedOf))
    return false;
  return llvm::any_of(loop.blocks, [&](Block *block) {
    return llvm::any_of(block->getSuccessors(), [&](Block *next) {
      return next != loop.header && loop.contains(next) &&
             dominance.dominates(next, block) &&
             !CountedLoop::of(block->getTerminator());
    });
  });
}

/// Whether a sum that has a loop inside may be left without it. LLVM would put
/// it in vectors of its own choice.
static bool mayLoseLoops(LLVM::LLVMFuncOp body) {
  DominanceInfo dominance(body);
  SmallVector<CountedLoop> loops;
  for (Block &block : body.getBody())
    if (std::optional<CountedLoop> loop =
            CountedLoop::of(block.getTerminator()))
      loops.push_back(*loop);
  return llvm::any_of(loops, [&](const CountedLoop &loop) {
    return hasOtherLoop(loop, dominance) ||
           llvm::any_of(loops, [&](const CountedLoop &inside) {
             return loop.header != inside.header &&
                    loop.contains(inside.header) && mayVanish(inside) &&
                    carriesSum(loop, inside);
           });
  });
}

/// Whether an operation has the flags of `@fastmath`, by which LLVM rewrites a
/// vector and a number in ways of their own.
static bool isRewritten(Operation &op) {
  auto flagged = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = flagged ? flagged.getFastMathFlagsAttr() : nullptr;
  return flags && arith::bitEnumContainsAll(flags.getValue(),
                                            arith::FastMathFlags::arcp);
}

/// How many branches of a body go back to the begin of a loop.
static size_t loopsIn(LLVM::LLVMFuncOp body) {
  size_t loops = 0;
  llvm::DenseSet<Block *> before;
  for (Block &block : body.getBody()) {
    before.insert(&block);
    loops += llvm::count_if(block.getSuccessors(),
                            [&](Block *next) { return before.contains(next); });
  }
  return loops;
}

std::string kern::ir::loop::writePartialSums(KernelBuilder &b,
                                             LLVM::LLVMFuncOp body,
                                             SumOrder order,
                                             const PanelFacts *panels) {
  bool hasOrder = order != SumOrder::OneByOne;
  for (Block &block : body.getBody())
    if (llvm::any_of(block, isRewritten))
      return "is @fastmath";
  if (mayLoseLoops(body))
    return "has a sum with a loop inside that may vanish";
  SmallVector<Operation *> latches;
  for (Block &block : body.getBody()) {
    Operation *latch = block.getTerminator();
    auto isParallel = latch->getAttrOfType<BoolAttr>(vectorLatch);
    latch->removeAttr(vectorLatch);
    if (isParallel && !isParallel.getValue())
      latches.push_back(latch);
  }
  if (hasOrder && (latches.empty() || latches.size() != loopsIn(body)))
    return "has other loops than sums";
  for (Operation *latch : latches) {
    SmallVector<Sum> sums;
    for (auto [i, next] : llvm::enumerate(latch->getOperands()))
      if (Operation *addition = groupedOf(next))
        sums.push_back({unsigned(i), addition, {}});
    std::optional<VectorShape> shape = loopShape(latch, /*isParallel=*/false);
    if (sums.empty() || !shape) { // a sum in order
      if (hasOrder)
        return "has other loops than sums";
      continue;
    }
    std::optional<CountedLoop> loop = CountedLoop::of(latch);
    if (std::string why = obstacleOf(loop); !why.empty())
      return why;
    if (order == SumOrder::InPanels) {
      PanelLoop all(b, *loop, shape->elements(), sums, *panels);
      if (!all.isAll())
        return "does more than to add up";
      all.write();
      continue;
    }
    SummingLoop summing(b, *loop, shape->elements(), sums);
    if (hasOrder && !summing.canChangeOrder())
      return "has a sum that is more than a few operations";
    summing.write(order);
  }
  return "";
}

//===- Work.cpp - the estimated work of a kernel --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <algorithm>

using namespace mlir;
using namespace kern::ir::loop;

/// The cost of a library function in simple operations. exp takes about 30, pow
/// about 100.
static constexpr int64_t callOperations = 50;
static constexpr int64_t divisionOperations = 8;
/// The limit of an estimate. The product of two does not overflow.
static constexpr int64_t maxOperations = int64_t(1) << 30;
/// The assumed iterations of a ufunc's loop if their number is not constant.
static constexpr int64_t assumedIterations = 32;

static int64_t operationsOf(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>() || isa<cf::BranchOp>(op))
    return 0;
  if (isa<func::CallOp, arith::RemFOp>(op))
    return callOperations;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
          arith::RemUIOp>(op))
    return divisionOperations;
  return op.getName().getDialectNamespace() == "math" ? divisionOperations : 1;
}

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 63)
    return std::nullopt;
  return constant.getSExtValue();
}

/// The value that a block passes to a successor's argument. Null if it is not
/// unique.
static Value given(Block *from, BlockArgument argument) {
  auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
  Value value;
  for (unsigned i = 0; branch && i < from->getNumSuccessors(); ++i) {
    if (from->getSuccessor(i) != argument.getOwner())
      continue;
    if (value)
      return {};
    value = branch.getSuccessorOperands(i)[argument.getArgNumber()];
  }
  return value;
}

/// The iterations of a loop that runs while `condition` holds. The condition
/// must compare a counter with a constant, and the counter must have a constant
/// start and step.
static std::optional<int64_t> iterationsWhile(Value condition, CFGLoop &loop) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  auto counter = dyn_cast<BlockArgument>(compare.getLhs());
  std::optional<int64_t> bound = constantOf(compare.getRhs());
  if (!counter || !bound || counter.getOwner() != loop.getHeader())
    return std::nullopt;
  std::optional<int64_t> start, step;
  for (Block *before : counter.getOwner()->getPredecessors()) {
    Value value = given(before, counter);
    if (!value)
      return std::nullopt;
    if (!loop.contains(before)) {
      start = constantOf(value);
    } else if (auto add = value.getDefiningOp<arith::AddIOp>();
               add && add.getLhs() == counter) {
      step = constantOf(add.getRhs());
    }
  }
  if (!start || !step || *step == 0)
    return std::nullopt;
  double iterations = (double(*bound) - double(*start)) / double(*step);
  return int64_t(std::clamp(iterations, 0.0, double(maxOperations)));
}

/// The number of a loop's iterations, if one of its exits determines it.
static std::optional<int64_t> iterationsOf(CFGLoop &loop) {
  llvm::SmallVector<Block *> exits;
  loop.getExitingBlocks(exits);
  for (Block *block : exits)
    if (auto branch = dyn_cast<cf::CondBranchOp>(block->getTerminator()))
      if (auto iterations = iterationsWhile(branch.getCondition(), loop))
        return iterations;
  return std::nullopt;
}

int64_t kern::ir::loop::operationsOf(KernelOp kernel) {
  Region &body = kernel.getBody();
  std::optional<DominanceInfo> dominance;
  std::optional<CFGLoopInfo> loops;
  if (!body.hasOneBlock()) {
    dominance.emplace(kernel);
    loops.emplace(dominance->getDomTree(&body));
  }
  llvm::DenseMap<CFGLoop *, int64_t> iterations;
  int64_t total = kernel.getNumInputs() + kernel.getResultTypes().size();
  for (Block &block : body) {
    int64_t operations = 0;
    for (Operation &op : block)
      operations += ::operationsOf(op);
    for (CFGLoop *loop = loops ? loops->getLoopFor(&block) : nullptr; loop;
         loop = loop->getParentLoop()) {
      auto [known, isNew] = iterations.try_emplace(loop, 0);
      if (isNew)
        known->second = iterationsOf(*loop).value_or(
            kernel.isUfunc() ? assumedIterations : 1);
      operations = std::min(operations * known->second, maxOperations);
    }
    total = std::min(total + operations, maxOperations);
  }
  return std::max<int64_t>(total, 1);
}

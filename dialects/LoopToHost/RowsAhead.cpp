//===- RowsAhead.cpp - fetching later rows of arrays ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/RowsAhead.h"

#include "dialects/LoopToHost/CountedLoop.h"
#include "dialects/LoopToHost/Divergence.h"
#include "dialects/LoopToHost/Forms.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Rows may be a power of two apart, where a CPU fetches nothing by itself.
/// So many of four lines are 8 KiB.
static constexpr int64_t rowsAhead = 32;

/// The same value some iterations later; null if that is not computed from the
/// counter alone.
static Value later(KernelBuilder &b, const CountedLoop &loop, Value value,
                   Value counter) {
  if (value == loop.counter())
    return counter;
  if (loop.isOutside(value))
    return value;
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op))
    return {};
  IRMapping operands;
  for (Value operand : op->getOperands()) {
    Value then = later(b, loop, operand, counter);
    if (!then)
      return {};
    operands.map(operand, then);
  }
  return b.clone(*op, operands)->getResult(0);
}

static bool follows(const CountedLoop &loop, Value value) {
  if (value == loop.counter())
    return true;
  Operation *op = value.getDefiningOp();
  return op && !loop.isOutside(value) &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return follows(loop, operand); });
}

void kern::ir::loop::fetchRowsAhead(KernelBuilder &b, LLVM::LLVMFuncOp body) {
  OpBuilder::InsertionGuard guard(b);
  for (Block &block : body.getBody()) {
    std::optional<CountedLoop> loop = CountedLoop::of(block.getTerminator());
    if (!loop || !loop->isOutside(loop->trips) ||
        vectorFacts(loop->blocks.getArrayRef()).hasLoops)
      continue;
    llvm::DenseSet<Value> fetched;
    for (Block *inner : loop->blocks)
      for (LLVM::LoadOp load : llvm::to_vector(inner->getOps<LLVM::LoadOp>())) {
        if (localArrayOf(load.getAddr()) || !follows(*loop, load.getAddr()) ||
            !fetched.insert(load.getAddr()).second)
          continue;
        b.setInsertionPoint(load);
        Value counter =
            arith::MinSIOp::create(b, b.add(loop->counter(), b.i64(rowsAhead)),
                                   b.sub(loop->trips, b.i64(1)));
        Value address = later(b, *loop, load.getAddr(), counter);
        if (!address)
          continue;
        constexpr unsigned reads = 0, toSecondLevel = 2, data = 1;
        auto fetch =
            LLVM::Prefetch::create(b, address, reads, toSecondLevel, data);
        fetch->setAttr(fetchedBytes,
                       b.getI64IntegerAttr(storedSize(load.getType())));
      }
  }
}

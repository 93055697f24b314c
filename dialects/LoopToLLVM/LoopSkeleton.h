//===- LoopSkeleton.h - the base of loop lowerings --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/IndexBuilder.h"
#include "dialects/LoopToLLVM/LoopLowering.h"
#include "dialects/LoopToLLVM/Ranges.h"

namespace kern::ir::loop {

/// The base of the lowerings of each kind of loop. It splits the block around
/// the loop; a lowering adds blocks between the halves.
class LoopSkeleton : protected IndexBuilder {
public:
  LoopSkeleton(mlir::Operation *loop, LoopStyle style)
      : IndexBuilder(loop->getLoc(), loop->getContext()), loop(loop),
        style(style), before(loop->getBlock()),
        after(before->splitBlock(loop)) {
    b.setInsertionPointToEnd(before);
  }

protected:
  mlir::Value tripCount(mlir::Value lower, mlir::Value upper,
                        mlir::Value step) {
    return loop::tripCount(b, lower, upper, step);
  }
  mlir::Value inductionValue(mlir::Value lower, mlir::Value step,
                             mlir::Value k) {
    return loop::inductionValue(b, lower, step, k);
  }
  mlir::Block *newBlock(unsigned counters) {
    mlir::Block *block = new mlir::Block;
    before->getParent()->getBlocks().insert(after->getIterator(), block);
    for (unsigned i = 0; i < counters; ++i)
      block->addArgument(b.getI64Type(), loop->getLoc());
    return block;
  }
  /// Moves the loop's body between the halves. The values that `make` builds at
  /// its beginning replace the arguments of its entry block.
  mlir::Block *
  inlineBody(mlir::Region &body,
             llvm::function_ref<llvm::SmallVector<mlir::Value>()> make) {
    mlir::Block *entry = &body.front();
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    llvm::SmallVector<mlir::Value> values = make();
    for (auto [argument, value] : llvm::zip(entry->getArguments(), values))
      argument.replaceAllUsesWith(value);
    entry->eraseArguments(0, entry->getNumArguments());
    before->getParent()->getBlocks().splice(after->getIterator(),
                                            body.getBlocks());
    return entry;
  }
  llvm::SmallVector<YieldOp> yieldsOf(mlir::Region &body) {
    llvm::SmallVector<YieldOp> yields;
    for (mlir::Block &block : body)
      if (auto yield = llvm::dyn_cast<YieldOp>(block.getTerminator()))
        yields.push_back(yield);
    return yields;
  }

  mlir::Operation *loop;
  LoopStyle style;
  mlir::Block *before;
  mlir::Block *after;
};

/// lowerLoop() for a reduction. The operation is left without a body and
/// without uses.
void lowerReduce(ReduceOp op, LoopStyle style);

} // namespace kern::ir::loop

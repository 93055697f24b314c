//===- LoopSkeleton.h - the base of loop lowerings --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/LoopLowering.h"
#include "dialects/LoopToLLVM/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// The base of the lowerings of each kind of loop. It splits the block around
/// the loop; a lowering adds blocks between the halves.
class LoopSkeleton {
public:
  LoopSkeleton(mlir::Operation *loop, LoopStyle style)
      : loop(loop), style(style), b(loop->getLoc(), loop->getContext()),
        before(loop->getBlock()), after(before->splitBlock(loop)) {
    b.setInsertionPointToEnd(before);
  }

protected:
  using Predicate = mlir::arith::CmpIPredicate;

  template <typename Op> mlir::Value fold(mlir::Value x, mlir::Value y) {
    return b.createOrFold<Op>(x, y);
  }
  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  mlir::Value compare(Predicate predicate, mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::CmpIOp>(predicate, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::SelectOp>(condition, x, y);
  }

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
             llvm::function_ref<llvm::SmallVector<mlir::Value>()> make);
  llvm::SmallVector<YieldOp> yieldsOf(mlir::Region &body) {
    llvm::SmallVector<YieldOp> yields;
    for (mlir::Block &block : body)
      if (auto yield = llvm::dyn_cast<YieldOp>(block.getTerminator()))
        yields.push_back(yield);
    return yields;
  }

  mlir::Operation *loop;
  LoopStyle style;
  mlir::ImplicitLocOpBuilder b;
  mlir::Block *before;
  mlir::Block *after;
};

} // namespace kern::ir::loop

//===- TruthBlocks.cpp - any and all that end early -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/TruthBlocks.h"

#include "dialects/LoopToLLVM/Carried.h"
#include "dialects/LoopToLLVM/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = arith::CmpIPredicate;

/// The iterations of a block: a constant, and whole vectors of any type, so
/// that none has to be masked.
static constexpr int64_t blockSize = 1024;

bool kern::ir::loop::endsEarly(ReduceOp op, LoopStyle style, Value trips) {
  APInt constant;
  return style.marksVectors && !style.isPlain && !style.isShared &&
         (op.getKind() == ReduceKind::Any || op.getKind() == ReduceKind::All) &&
         isa<KernelOp>(op->getParentOp()) &&
         !matchPattern(trips, m_ConstantInt(&constant)) && !op.getKept() &&
         op.getBody().hasOneBlock() &&
         llvm::all_of(op.entry().without_terminator(), [](Operation &inner) {
           return isa<LoadOp>(inner) || isMemoryEffectFree(&inner);
         });
}

TruthSoFar
kern::ir::loop::truthOfBlocks(ImplicitLocOpBuilder &b, ReduceOp op, Value trips,
                              function_ref<Block *(unsigned)> newBlock) {
  ReduceKind kind = op.getKind();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  };
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, x, y);
  };
  Value open = identity(b, kind, b.getI1Type()).value;
  Block *blocks = newBlock(1), *begin = newBlock(0), *header = newBlock(1),
        *body = newBlock(0), *ended = newBlock(0), *done = newBlock(0);
  Value first = blocks->getArgument(0),
        value = blocks->addArgument(b.getI1Type(), op.getLoc());
  Value k = header->getArgument(0),
        ofBlock = header->addArgument(b.getI1Type(), op.getLoc());
  cf::BranchOp::create(b, blocks, ValueRange{constant(0), open});

  b.setInsertionPointToEnd(blocks);
  Value isOpen = arith::CmpIOp::create(b, Predicate::eq, value, open);
  Value next = add(first, constant(blockSize));
  Value isWhole = arith::CmpIOp::create(b, Predicate::sle, next, trips);
  cf::CondBranchOp::create(b, arith::AndIOp::create(b, isOpen, isWhole), begin,
                           done);
  b.setInsertionPointToEnd(begin);
  cf::BranchOp::create(b, header, ValueRange{constant(0), open});

  b.setInsertionPointToEnd(header);
  cf::CondBranchOp::create(
      b, arith::CmpIOp::create(b, Predicate::slt, k, constant(blockSize)), body,
      ended);
  b.setInsertionPointToEnd(body);
  Carried found = accumulate(b, kind, {{ofBlock, Value()}, Value()},
                             cloneIteration(b, op, add(first, k)), k);
  auto latch = cf::BranchOp::create(
      b, header, ValueRange{add(k, constant(1)), found.sum.value});
  latch->setAttr(vectorLatch, b.getBoolAttr(false));

  b.setInsertionPointToEnd(ended);
  cf::BranchOp::create(b, blocks, ValueRange{next, ofBlock});

  b.setInsertionPointToEnd(done);
  return {{first, arith::SelectOp::create(b, isOpen, trips, first)}, value};
}

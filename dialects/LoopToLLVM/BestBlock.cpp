//===- BestBlock.cpp - where the position of an extremum is ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/BestBlock.h"

#include "dialects/LoopToLLVM/Carried.h"
#include "dialects/LoopToLLVM/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = arith::CmpIPredicate;

/// The iterations of a block: a few vectors, and more where there are many
/// blocks. The position is found one by one.
static constexpr int64_t shortBlock = 64, longBlock = 512, many = 8192;

/// The reduction that finds the value alone.
static ReduceKind withoutPosition(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::ArgSMin:
    return ReduceKind::SMin;
  case ReduceKind::ArgSMax:
    return ReduceKind::SMax;
  case ReduceKind::ArgUMin:
    return ReduceKind::UMin;
  case ReduceKind::ArgUMax:
    return ReduceKind::UMax;
  case ReduceKind::ArgFMin:
    return ReduceKind::FMinNan;
  default:
    return ReduceKind::FMaxNan;
  }
}

bool kern::ir::loop::goesByBlocks(ReduceOp op, LoopStyle style) {
  Type type = op.getValueType();
  bool isNumber =
      type.isF32() || type.isF64() || (type.isInteger() && !type.isInteger(1));
  return style.marksVectors && !style.isShared && isArg(op.getKind()) &&
         isNumber && !op.getKept() && op.getBody().hasOneBlock() &&
         llvm::all_of(op.entry().without_terminator(), [](Operation &inner) {
           return isa<LoadOp>(inner) || isMemoryEffectFree(&inner);
         });
}

/// Clones the body for iteration `k`. Returns what it yields.
static SmallVector<Value> cloneBody(ImplicitLocOpBuilder &b, ReduceOp op,
                                    Value k) {
  IRMapping map;
  map.map(op.inductionVar(), inductionValue(b, op.getLower(), op.getStep(), k));
  for (Operation &inner : op.entry().without_terminator())
    b.clone(inner, map);
  SmallVector<Value> yielded;
  for (Value value : op.entry().getTerminator()->getOperands())
    yielded.push_back(map.lookupOrDefault(value));
  return yielded;
}

Iterations kern::ir::loop::bestBlock(ImplicitLocOpBuilder &b, ReduceOp op,
                                     Value trips,
                                     function_ref<Block *(unsigned)> newBlock) {
  ReduceKind kind = withoutPosition(op.getKind());
  Type type = op.getValueType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  };
  auto isLess = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, Predicate::slt, x, y);
  };
  auto add = [&](Value x, int64_t y) -> Value {
    return arith::AddIOp::create(b, x, constant(y));
  };
  Value size =
      arith::SelectOp::create(b, isLess(trips, constant(many)),
                              constant(shortBlock), constant(longBlock));
  auto after = [&](Value first) -> Value {
    return arith::AddIOp::create(b, first, size);
  };
  auto endOf = [&](Value first) -> Value {
    return arith::MinSIOp::create(b, after(first), trips);
  };
  Block *blocks = newBlock(2), *begin = newBlock(0), *header = newBlock(1),
        *body = newBlock(0), *ended = newBlock(0), *done = newBlock(0);
  Value first = blocks->getArgument(0), best = blocks->getArgument(1),
        bestValue = blocks->addArgument(type, op.getLoc());
  Value k = header->getArgument(0),
        value = header->addArgument(type, op.getLoc());
  Value none = identity(b, kind, type).value;
  cf::BranchOp::create(b, blocks, ValueRange{constant(0), constant(-1), none});

  b.setInsertionPointToEnd(blocks);
  cf::CondBranchOp::create(b, isLess(first, trips), begin, done);
  b.setInsertionPointToEnd(begin);
  Value end = endOf(first);
  cf::BranchOp::create(b, header, ValueRange{first, none});

  b.setInsertionPointToEnd(header);
  cf::CondBranchOp::create(b, isLess(k, end), body, ended);
  b.setInsertionPointToEnd(body);
  Carried next =
      accumulate(b, kind, {{value, Value()}, Value()}, cloneBody(b, op, k), k);
  auto latch =
      cf::BranchOp::create(b, header, ValueRange{add(k, 1), next.sum.value});
  latch->setAttr(vectorLatch, b.getBoolAttr(false));

  b.setInsertionPointToEnd(ended);
  Accumulator better =
      combineLater(b, op.getKind(), {bestValue, best}, {value, first});
  cf::BranchOp::create(b, blocks,
                       ValueRange{after(first), better.index, better.value});

  b.setInsertionPointToEnd(done);
  Value isNone = isLess(best, constant(0));
  return {arith::SelectOp::create(b, isNone, constant(0), best),
          arith::SelectOp::create(b, isNone, trips, endOf(best))};
}

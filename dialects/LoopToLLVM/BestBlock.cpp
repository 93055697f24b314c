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

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = arith::CmpIPredicate;

/// The iterations of a block: a few vectors, and more where there are many
/// blocks.
static constexpr int64_t shortBlock = 64, longBlock = 512, many = 8192;

/// The kind for integers that are ordered as the values (keyOf).
static ReduceKind ofKeys(ReduceKind kind) {
  return kind == ReduceKind::ArgFMin   ? ReduceKind::ArgSMin
         : kind == ReduceKind::ArgFMax ? ReduceKind::ArgSMax
                                       : kind;
}

static Type keyType(ImplicitLocOpBuilder &b, Type type) {
  return b.getIntegerType(type.getIntOrFloatBitWidth());
}

/// An integer with the order of a float: equal for both zeros, and better than
/// all others for each NaN. Vectors of such integers are compared with one
/// instruction, those of floats that may be NaN with six. An integer is itself.
static Value keyOf(ImplicitLocOpBuilder &b, Value value, ReduceKind kind) {
  auto type = dyn_cast<FloatType>(value.getType());
  if (!type)
    return value;
  Type integer = keyType(b, type);
  unsigned width = type.getWidth();
  auto constant = [&](const llvm::APInt &bits) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(integer, bits));
  };
  // -0 + 0 is 0.
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
  Value bits = arith::BitcastOp::create(b, integer,
                                        arith::AddFOp::create(b, value, zero));
  // The larger the bits of a negative number, the smaller it is.
  Value sign =
      arith::ShRSIOp::create(b, bits, constant(llvm::APInt(width, width - 1)));
  Value flips = arith::AndIOp::create(
      b, sign, constant(llvm::APInt::getSignedMaxValue(width)));
  Value isNan =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  llvm::APInt best = kind == ReduceKind::ArgSMin
                         ? llvm::APInt::getSignedMinValue(width)
                         : llvm::APInt::getSignedMaxValue(width);
  return arith::SelectOp::create(b, isNan, constant(best),
                                 arith::XOrIOp::create(b, bits, flips));
}

bool kern::ir::loop::goesByBlocks(ReduceOp op, LoopStyle style) {
  Type type = op.getValueType();
  bool isNumber =
      type.isF32() || type.isF64() || (type.isInteger() && !type.isInteger(1));
  return style.marksVectors && !style.isPlain && !style.isShared &&
         isArg(op.getKind()) && isNumber && !op.getKept() &&
         op.getBody().hasOneBlock() &&
         llvm::all_of(op.entry().without_terminator(), [](Operation &inner) {
           return isa<LoadOp>(inner) || isMemoryEffectFree(&inner);
         });
}

/// Whether the body yields the same bits wherever it is cloned: no product can
/// be fused with a sum in one place and not in the other.
static bool isExact(ReduceOp op) {
  return llvm::none_of(
      op.entry(), [](Operation &inner) { return isa<arith::MulFOp>(inner); });
}

/// Clones the body for iteration `k`. Returns what it yields, a key first.
static SmallVector<Value> cloneBody(ImplicitLocOpBuilder &b, ReduceOp op,
                                    Value k) {
  SmallVector<Value> yielded = cloneIteration(b, op, k);
  yielded.front() = keyOf(b, yielded.front(), ofKeys(op.getKind()));
  return yielded;
}

/// Emits a loop over a block, in vectors. Returns the first iteration whose key
/// is `best`; the whole block if there is none.
static Iterations find(ImplicitLocOpBuilder &b, ReduceOp op, Iterations block,
                       Value best, function_ref<Block *(unsigned)> newBlock) {
  Type number = b.getI32Type(); // of an iteration in the block
  Value none = arith::ConstantOp::create(b, b.getI32IntegerAttr(INT32_MAX)),
        one = arith::ConstantOp::create(b, b.getI64IntegerAttr(1));
  Block *header = newBlock(1), *body = newBlock(0), *done = newBlock(0);
  Value k = header->getArgument(0),
        found = header->addArgument(number, op.getLoc());
  cf::BranchOp::create(b, header, ValueRange{block.first, none});
  b.setInsertionPointToEnd(header);
  Value isWithin = arith::CmpIOp::create(b, Predicate::slt, k, block.end);
  cf::CondBranchOp::create(b, isWithin, body, done);

  b.setInsertionPointToEnd(body);
  Value isBest = arith::CmpIOp::create(b, Predicate::eq,
                                       cloneBody(b, op, k).front(), best);
  Value at = arith::TruncIOp::create(b, number,
                                     arith::SubIOp::create(b, k, block.first));
  Value next = arith::MinSIOp::create(
      b, found, arith::SelectOp::create(b, isBest, at, none));
  auto latch = cf::BranchOp::create(
      b, header, ValueRange{arith::AddIOp::create(b, k, one), next});
  latch->setAttr(vectorLatch, b.getBoolAttr(false));

  b.setInsertionPointToEnd(done);
  Value isNone = arith::CmpIOp::create(b, Predicate::eq, found, none);
  Value first = arith::AddIOp::create(
      b, block.first, arith::ExtSIOp::create(b, b.getI64Type(), found));
  return {arith::SelectOp::create(b, isNone, block.first, first),
          arith::SelectOp::create(b, isNone, block.end,
                                  arith::AddIOp::create(b, first, one))};
}

Iterations kern::ir::loop::bestBlock(ImplicitLocOpBuilder &b, ReduceOp op,
                                     Value trips,
                                     function_ref<Block *(unsigned)> newBlock) {
  ReduceKind kind = ofKeys(op.getKind()), plain = withoutPosition(kind);
  Type type = keyType(b, op.getValueType());
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
  Value none = identity(b, plain, type).value;
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
      accumulate(b, plain, {{value, Value()}, Value()}, cloneBody(b, op, k), k);
  auto latch =
      cf::BranchOp::create(b, header, ValueRange{add(k, 1), next.sum.value});
  latch->setAttr(vectorLatch, b.getBoolAttr(false));

  b.setInsertionPointToEnd(ended);
  Accumulator better = combineLater(b, kind, {bestValue, best}, {value, first});
  cf::BranchOp::create(b, blocks,
                       ValueRange{after(first), better.index, better.value});

  b.setInsertionPointToEnd(done);
  Value isNone = isLess(best, constant(0));
  Iterations block = {arith::SelectOp::create(b, isNone, constant(0), best),
                      arith::SelectOp::create(b, isNone, trips, endOf(best))};
  return isExact(op) ? find(b, op, block, bestValue, newBlock) : block;
}

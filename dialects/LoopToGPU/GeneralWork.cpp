//===- GeneralWork.cpp - what a thread of the general form works on -------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"

#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

/// The lane number of a thread without an item: larger than any trip count, so
/// that no shared loop runs.
static constexpr int64_t idleLane = int64_t(1) << 40;

/// A group of more than 32 threads is a whole block.
static Work findGrouped(KernelBuilder &b, Value block, Value count,
                        Value group) {
  Value inBlock = b.widen(readRegister(b, Register::ThreadX));
  Value threads = b.widen(readRegister(b, Register::BlockSizeX));
  Value thread = b.add(b.mul(block, threads), inBlock);
  Value isBlock = b.compare(Predicate::sgt, group, b.i64(32));
  Value shift = LLVM::CountTrailingZerosOp::create(b, b.getI64Type(), group,
                                                   b.getBoolAttr(false));
  Value small = arith::ShRUIOp::create(b, thread, shift);
  Value member = b.bitAnd(inBlock, b.sub(group, b.i64(1)));
  Value item = arith::SelectOp::create(b, isBlock, block, small);
  return {item, arith::SelectOp::create(b, isBlock, inBlock, member),
          b.compare(Predicate::slt, item, count), item};
}

/// A thread without an item stays for the barriers of its block. It reads the
/// last item, and its lane runs no loop.
static Work findAcross(KernelBuilder &b, Value block, Value count) {
  Value column = b.widen(readRegister(b, Register::ThreadX));
  Value row = b.widen(readRegister(b, Register::ThreadY));
  Value width = b.widen(readRegister(b, Register::BlockSizeX));
  Value item = b.add(b.mul(block, width), column);
  Value isInside = b.compare(Predicate::slt, item, count);
  Value last = b.sub(count, b.i64(1));
  item = arith::SelectOp::create(b, isInside, item, last);
  return {item, arith::SelectOp::create(b, isInside, row, b.i64(idleLane)),
          Value(), item};
}

/// A thread without an item still copies for others. It computes the last item
/// in its own memory and discards the results, or that of another thread of its
/// warp.
static Work findStaged(KernelBuilder &b, bool isSpread, Value block,
                       Value count) {
  Value thread = readRegister(b, Register::ThreadX);
  Value threads = readRegister(b, Register::BlockSizeX);
  Value slot = b.add(b.mul(block, b.widen(threads)), b.widen(thread));
  Value item = slot, isOwner;
  if (isSpread) {
    item = b.add(b.mul(block, b.widen(spreadPlace(b, threads))),
                 b.widen(spreadPlace(b, thread)));
    isOwner = b.compare(Predicate::ult, readRegister(b, Register::Lane),
                        b.i32(kern::runtime::spreadElements));
  }
  Value isInside = b.compare(Predicate::slt, item, count);
  Value last = b.sub(count, b.i64(1));
  item = arith::SelectOp::create(b, isInside, item, last);
  if (isOwner)
    isInside = b.bitAnd(isInside, isOwner);
  return {item, arith::SelectOp::create(b, isInside, b.i64(0), b.i64(idleLane)),
          Value(), slot};
}

Work kern::ir::loop::findWork(KernelBuilder &b,
                              const kern::runtime::Mapping &mapping,
                              Value block, Value count, Value group) {
  if (mapping.across)
    return findAcross(b, block, count);
  if (mapping.staged)
    return findStaged(b, mapping.spread, block, count);
  return findGrouped(b, block, count, group);
}

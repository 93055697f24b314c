//===- Across.cpp - lanes across loop elements ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Across.h"

#include "dialects/LoopToGPU/SharedSlots.h"
#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

SmallVector<Type> AcrossGroup::extraArguments(KernelBuilder &b) {
  return SmallVector<Type>(3, b.getI64Type());
}

void AcrossGroup::begin(ValueRange extraArguments) {
  laneArgument = extraArguments[0];
  sizeArgument = extraArguments[1];
  countArgument = extraArguments[2];
}

/// A butterfly over the rows of the block, like GpuGroup's over the lanes of a
/// warp. Threads beyond the last loop element take part, since they reach the
/// barriers too; so it uses the thread's row, not its lane.
void AcrossGroup::combine(KernelBuilder &b, CombineOp op) {
  ReduceKind kind = op.getKind();
  Accumulator mine{op.getValue(), op.getIndex()};
  SmallVector<Type> types =
      llvm::to_vector(ValueRange(valuesOf(mine)).getTypes());
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  for (Type type : types)
    after->addArgument(type, op.getLoc());
  b.at(before);
  SharedSlots slots(b, mine);
  Value column = b.widen(readRegister(b, Register::ThreadX));
  Value row = b.widen(readRegister(b, Register::ThreadY));
  Value width = b.widen(readRegister(b, Register::BlockSizeX));
  SmallVector<Type> carried = {b.getI64Type()};
  carried.append(types);
  Block *header = b.block(carried), *step = b.block();
  Value half = arith::ShRUIOp::create(b, sizeArgument, b.i64(1));
  SmallVector<Value> start = {half};
  start.append(valuesOf(mine));
  b.branch(header, start);

  b.at(header);
  Value distance = header->getArgument(0);
  Accumulator sum = accumulatorOf(header->getArguments().drop_front());
  b.branch(b.compare(Predicate::ne, distance, b.i64(0)), step, after, {},
           valuesOf(sum));
  b.at(step);
  auto threadOf = [&](Value row) { return b.add(b.mul(row, width), column); };
  slots.store(b, threadOf(row), sum);
  waitForBlock(b);
  Value partner = arith::XOrIOp::create(b, row, distance);
  Accumulator other = slots.load(b, threadOf(partner));
  // No thread may overwrite a value before its partner has read it.
  waitForBlock(b);
  SmallVector<Value> next = {arith::ShRUIOp::create(b, distance, b.i64(1))};
  next.append(valuesOf(loop::combine(b, kind, sum, other)));
  b.branch(header, next);

  b.setInsertionPointToStart(after);
  op.replaceAllUsesWith(result(b, kind, accumulatorOf(after->getArguments())));
}

void AcrossGroup::barrier(KernelBuilder &b, BarrierOp) { waitForBlock(b); }

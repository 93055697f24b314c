//===- Across.cpp - lanes across loop elements ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Across.h"

#include "dialects/LoopToGPU/SharedSlots.h"
#include "dialects/LoopToGPU/Shuffle.h"
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

/// The rows of a column combine their values as GpuGroup's lanes of a warp do.
/// For that they go to neighbouring lanes through shared memory: a warp has the
/// columns of its threads by row, and then some columns with all their rows.
/// Threads beyond the last loop element take part, since they reach the
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
  Block *several = b.block();
  b.branch(b.compare(Predicate::eq, sizeArgument, b.i64(1)), after, several,
           valuesOf(mine));

  b.at(several);
  SharedSlots slots(b, mine);
  Value column = b.widen(readRegister(b, Register::ThreadX));
  Value row = b.widen(readRegister(b, Register::ThreadY));
  Value width = b.widen(readRegister(b, Register::BlockSizeX));
  // Columns are permuted from row to row, so that the rows of a column are in
  // different banks. Both numbers are powers of two, the width at least 32.
  auto slotOf = [&](Value row, Value column) {
    return b.add(b.mul(row, width), arith::XOrIOp::create(b, column, row));
  };
  Value own = slotOf(row, column);
  slots.store(b, own, mine);
  waitForBlock(b);
  Value thread = b.add(b.mul(row, width), column);
  Value ofRows = b.bitAnd(thread, b.sub(sizeArgument, b.i64(1)));
  Value log2 = LLVM::CountTrailingZerosOp::create(
      b, b.getI64Type(), sizeArgument, /*is_zero_poison=*/true);
  Value read = slotOf(ofRows, arith::ShRUIOp::create(b, thread, log2));
  Value rows = arith::TruncIOp::create(b, b.getI32Type(), sizeArgument);
  Accumulator sum = combineLanes(b, kind, slots.load(b, read), rows, b.i32(-1));
  // Nobody else has read that slot, nor reads `own` after this.
  slots.store(b, read, sum);
  waitForBlock(b);
  b.branch(after, valuesOf(slots.load(b, own)));

  b.setInsertionPointToStart(after);
  op.replaceAllUsesWith(result(b, kind, accumulatorOf(after->getArguments())));
}

void AcrossGroup::barrier(KernelBuilder &b, BarrierOp) { waitForBlock(b); }

Value AcrossGroup::keep(KernelBuilder &b, Value value) {
  return loop::keep(b, value);
}

Value AcrossGroup::ofLane(KernelBuilder &b, OfLaneOp op) {
  return laneOfWarp(b, op.getValue(),
                    arith::TruncIOp::create(b, b.getI32Type(), op.getLane()),
                    b.i32(-1));
}

Value AcrossGroup::earlierLane(KernelBuilder &b, EarlierLaneOp op) {
  return laneOfWarp(b, op, b.i32(-1));
}

/// Through shared memory, as many values at once as fit. Rows lie an odd number
/// of values apart, for banks.
void AcrossGroup::transpose(KernelBuilder &b, TransposeOp op) {
  constexpr unsigned side = 32, pitch = side + 1, maxBytes = 16,
                     maxShared = side * pitch * maxBytes;
  Value memory = sharedMemoryOf(b, "__kern_transposed", maxShared);
  Value column = b.widen(readRegister(b, Register::ThreadX));
  Value row = b.widen(readRegister(b, Register::ThreadY));
  auto addressOf = [&](unsigned begin, unsigned bytes, Value row,
                       Value column) {
    Value place = b.add(b.mul(row, b.i64(pitch)), column);
    return b.offset(memory, b.add(b.mul(place, b.i64(bytes)), b.i64(begin)));
  };
  SmallVector<Value> values(op.getValues());
  for (size_t from = 0; from < values.size();) {
    SmallVector<unsigned> begins;
    unsigned end = 0;
    size_t to = from;
    for (; to < values.size(); ++to) {
      unsigned bytes = side * pitch * valueBytes(values[to].getType());
      if (end + bytes > maxShared)
        break;
      begins.push_back(end);
      end += bytes;
    }
    auto each = [&](auto act) {
      for (size_t k = from; k < to; ++k)
        act(k, begins[k - from], valueBytes(values[k].getType()));
    };
    each([&](size_t k, unsigned begin, unsigned bytes) {
      b.store(values[k], addressOf(begin, bytes, row, column));
    });
    waitForBlock(b);
    each([&](size_t k, unsigned begin, unsigned bytes) {
      Type type = values[k].getType();
      values[k] = b.load(type, addressOf(begin, bytes, column, row));
    });
    // No thread may overwrite a value before another one has read it.
    waitForBlock(b);
    from = to;
  }
  op.replaceAllUsesWith(values);
}

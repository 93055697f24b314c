//===- LaneChunks.cpp - a lane's part of resident rows --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/LaneChunks.h"

#include "dialects/LoopToLLVM/IndexBuilder.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "runtime/artefact/Nest.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

/// Builds where another builder is.
struct ChunkBuilder : IndexBuilder {
  explicit ChunkBuilder(ImplicitLocOpBuilder &at)
      : IndexBuilder(at.getLoc(), at.getContext()) {
    b.restoreInsertionPoint(at.saveInsertionPoint());
  }
  LaneChunks chunksOf(KernelOp kernel, const ResidentRows &rows);
  Value placeInFetched(const ResidentRows &rows, Value lane, size_t chunk) {
    Value first = fold<arith::MulIOp>(lane, constant(rows.chunk));
    return fold<arith::AddIOp>(
        first, constant(int64_t(chunk * rows.chunk *
                                kern::runtime::cooperatingLanes)));
  }
  void fetch(KernelOp kernel, const ResidentRows &rows, bool isNext,
             ChunkRange range);
};

} // namespace

/// In 32 bits, to save registers: rows that fit into registers are short.
LaneChunks ChunkBuilder::chunksOf(KernelOp kernel, const ResidentRows &rows) {
  auto narrow = [&](Value value) -> Value {
    return b.createOrFold<arith::TruncIOp>(b.getI32Type(), value);
  };
  auto widen = [&](Value value) -> Value {
    return b.createOrFold<arith::ExtUIOp>(b.getI64Type(), value);
  };
  auto number = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  LaneChunks part;
  Value lane = KeepOp::create(b, narrow(LaneOp::create(b, b.getI64Type())));
  part.lane = widen(lane);
  Value group = narrow(GroupSizeOp::create(b, b.getI64Type()));
  Value trips = narrow(fold<arith::SubIOp>(rows.upper, rows.lower));
  Value size = number(int32_t(rows.chunk));
  Value left = fold<arith::AndIOp>(trips, number(int32_t(rows.chunk) - 1));
  Value whole = fold<arith::SubIOp>(trips, left);
  Value last = fold<arith::SubIOp>(whole, size);
  // A launch that combines what slices have left has none of a row's chunks.
  if (kernel.getLaunches() && !kernel.getCooperative())
    last = fold<arith::MaxSIOp>(last, number(0));
  Value first = fold<arith::MulIOp>(lane, size);
  Value stride = fold<arith::MulIOp>(group, size);
  for (unsigned e = 0; e < rows.chunks; ++e) {
    Value isReal = compare(Predicate::ult, first, whole);
    Value known = widen(fold<arith::MinUIOp>(first, last));
    part.chunks.push_back(
        {widen(first), isReal, fold<arith::AddIOp>(rows.lower, known)});
    first = fold<arith::AddIOp>(first, stride);
  }
  part.hasTail = compare(Predicate::ult, lane, left);
  part.tailFirst = widen(fold<arith::AddIOp>(whole, lane));
  return part;
}

void ChunkBuilder::fetch(KernelOp kernel, const ResidentRows &rows, bool isNext,
                         ChunkRange range) {
  LaneChunks part = chunksOf(kernel, rows);
  for (auto [r, row] : llvm::enumerate(rows.rows)) {
    Value ahead =
        isNext ? kernel.aheadOf(cast<BlockArgument>(row.array)) : constant(0);
    for (auto [d, index] : llvm::enumerate(row.indices))
      if (d != row.dimension)
        ahead = fold<arith::AddIOp>(
            ahead, fold<arith::MulIOp>(
                       index, StrideOp::create(b, row.array, int64_t(d))));
    FetchedRow target(b, rows, r);
    Type element = cast<ArrayType>(row.array.getType()).getElementType();
    for (unsigned e = range.begin; e < range.end; ++e) {
      const LaneChunk &chunk = part.chunks[e];
      Value bytes = fold<arith::AddIOp>(
          ahead,
          fold<arith::MulIOp>(chunk.place, constant(storedSize(element))));
      auto fetch =
          FetchOp::create(b, row.array, bytes, target.array,
                          placeInFetched(rows, part.lane, e), chunk.isReal);
      fetch->setAttr(fetchedElements, b.getI64IntegerAttr(rows.chunk));
    }
  }
}

LaneChunks kern::ir::loop::laneChunks(ImplicitLocOpBuilder &b, KernelOp kernel,
                                      const ResidentRows &rows) {
  return ChunkBuilder(b).chunksOf(kernel, rows);
}

FetchedRow::FetchedRow(ImplicitLocOpBuilder &b, const ResidentRows &rows,
                       size_t row) {
  auto type = cast<ArrayType>(rows.rows[row].array.getType());
  array = SharedOp::create(
      b, ArrayType::get(b.getContext(), type.getElementType(), 1),
      b.getI64IntegerAttr(int64_t(row * rows.chunks * chunkBytes *
                                  kern::runtime::cooperatingLanes)));
}

Value kern::ir::loop::placeInFetched(ImplicitLocOpBuilder &b,
                                     const ResidentRows &rows, Value lane,
                                     size_t chunk) {
  return ChunkBuilder(b).placeInFetched(rows, lane, chunk);
}

void kern::ir::loop::fetchRows(ImplicitLocOpBuilder &b, KernelOp kernel,
                               const ResidentRows &rows, bool isNext,
                               ChunkRange range) {
  ChunkBuilder(b).fetch(kernel, rows, isNext, range);
}

/// Whether a loop reads what is not kept, as weights.
static bool readsOthers(const ResidentRows::Loop &loop) {
  return llvm::is_contained(loop.rows, std::nullopt);
}

ChunkRange kern::ir::loop::fetchedBy(const ResidentRows &rows, size_t loop) {
  const size_t last = rows.loops.size() - 1;
  if (last < 2 || readsOthers(rows.loops[last]))
    return {0, loop == 0 ? rows.chunks : 0};
  const unsigned half = rows.chunks / 2;
  if (loop == 1)
    return {0, half};
  return {half, loop == last ? rows.chunks : half};
}

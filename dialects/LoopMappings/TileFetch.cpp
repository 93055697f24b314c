//===- TileFetch.cpp - the elements of a tile -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/TileLoops.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = TileBuilder::Predicate;

/// An access, and where in its array (in bytes) the thread's first element
/// lies.
std::pair<TileLoops::Staged, Value> TileLoops::stage(const TileAccess &access,
                                                     unsigned sharedAt) {
  Staged each(access, shape);
  Value array = each.load.getArray();
  each.array = b.sharedArray(each.load.getType(), sharedAt);
  Value offset = b.i64(0);
  SmallVector<Value> strides;
  for (auto [d, index] : llvm::enumerate(each.load.getIndices())) {
    strides.push_back(StrideOp::create(b, b.getI64Type(), array, unsigned(d)));
    offset = b.add(offset, b.mul(values.get(index, TileValues::corner),
                                 strides.back()));
  }
  each.advance = b.i64(0);
  SmallVector<Value> moving; // strides of the access's dimensions
  for (const TileAccess::Dimension &dimension : access.dimensions) {
    Value stride = strides[dimension.number];
    moving.push_back(stride);
    each.advance =
        b.add(each.advance, b.scale(stride, dimension.steps[2] * shape.depth));
  }
  arrangeLanes(each, moving);
  for (auto [dimension, stride, at] :
       llvm::zip(access.dimensions, moving, each.at)) {
    Value from = arith::ExtSIOp::create(
        b, b.getI64Type(), b.plus(at, -int64_t(dimension.origin(shape))));
    offset = b.add(offset, b.mul(from, stride));
  }
  return {each, offset};
}

/// Lanes go along the dimension in which elements lie closer together.
void TileLoops::arrangeLanes(Staged &each, ArrayRef<Value> strides) {
  unsigned threads = shape.threads();
  const auto &dimensions = each.access->dimensions;
  const TileLayout &layout = each.layout;
  Value lane = place.lane;
  unsigned width = dimensions.back().extent(shape);
  if (dimensions.size() == 1) {
    each.at = {lane};
    each.steps = {b.i32(threads)};
    each.count = llvm::divideCeil(width, threads);
    each.sourceStep = b.scale(strides[0], threads);
    each.targetStep = b.i32(layout.withGaps(threads));
  } else {
    unsigned height = dimensions.front().extent(shape);
    bool isRegular = llvm::has_single_bit(width) &&
                     llvm::has_single_bit(height) && width <= threads &&
                     height <= threads && width * height >= threads;
    unsigned wide = std::min(threads, llvm::bit_ceil(width));
    unsigned high = threads / wide;
    each.at = {b.div(lane, wide), b.rem(lane, wide)};
    each.steps = {b.i32(high), b.i32(0)};
    each.count = llvm::divideCeil(height, high);
    each.across = llvm::divideCeil(width, wide);
    each.width = wide;
    each.acrossStep = b.scale(strides[1], wide);
    each.sourceStep = b.scale(strides[0], high);
    each.targetStep = b.i32(layout.withGaps(int64_t(layout.pitch) * high));
    if (isRegular) {
      Value isTurned = b.compare(Predicate::slt, b.absolute(strides[0]),
                                 b.absolute(strides[1]));
      auto choose = [&](Value turned, Value &straight) {
        straight = b.select(isTurned, turned, straight);
      };
      unsigned low = threads / height;
      choose(b.rem(lane, height), each.at[0]);
      choose(b.div(lane, height), each.at[1]);
      choose(b.i32(0), each.steps[0]);
      choose(b.i32(low), each.steps[1]);
      choose(b.scale(strides[1], low), each.sourceStep);
      choose(b.i32(layout.withGaps(low)), each.targetStep);
    }
  }
  // Rows begin at multiples of a run.
  Value gaps = b.i32(0);
  if (layout.run)
    gaps = b.scale(b.div(each.at.back(), layout.run), layout.gap);
  each.target = b.add(each.at.back(), gaps);
  if (dimensions.size() == 2)
    each.target = b.add(
        each.target, b.scale(each.at.front(), layout.withGaps(layout.pitch)));
}

/// Fetches the elements of `left` iterations or `depth`. Only those that items
/// of the tile need are read.
void TileLoops::fetch(const Staged &each, Value left, Value parity,
                      Value offset) {
  Value depth = b.narrow(
      b.most(b.least(left, b.i64(shape.depth)), b.i64(0)));
  Value lengths[] = {place.rowCount, place.columnCount, depth};
  SmallVector<Value, 2> first, count;
  for (const TileAccess::Dimension &dimension : each.access->dimensions) {
    Value low = b.i32(dimension.origin(shape)), high = low;
    for (unsigned x = 0; x < 3; ++x) {
      int64_t step = dimension.steps[x];
      if (step == 0)
        continue;
      Value farthest = b.scale(b.plus(lengths[x], -1), step);
      (step < 0 ? low : high) = b.add(step < 0 ? low : high, farthest);
    }
    Value size = b.plus(b.sub(high, low), 1);
    if (dimension.steps[2])
      size = b.select(b.compare(Predicate::sgt, depth, b.i32(0)), size,
                      b.i32(0));
    first.push_back(low);
    count.push_back(size);
  }
  Value base = b.scale(parity, each.layout.elements);
  Value target = each.target;
  SmallVector<Value, 2> at;
  for (auto [place, low] : llvm::zip(each.at, first))
    at.push_back(b.sub(place, low));
  for (unsigned n = 0; n < each.count; ++n) {
    Value isRow = b.compare(Predicate::ult, at.front(), count.front());
    Value source = offset;
    for (unsigned m = 0; m < each.across; ++m) {
      Value isNeeded = isRow;
      if (at.size() == 2)
        isNeeded = b.both(
            isRow, b.compare(Predicate::ult,
                             b.plus(at[1], int64_t(m) * each.width), count[1]));
      int64_t aside = each.layout.withGaps(int64_t(m) * each.width);
      FetchOp::create(b, each.source, source, each.array,
                      b.plus(b.add(base, b.widen(target)), aside), isNeeded);
      if (m + 1 < each.across)
        source = b.add(source, each.acrossStep);
    }
    if (n + 1 == each.count)
      break;
    offset = b.add(offset, each.sourceStep);
    target = b.add(target, each.targetStep);
    for (auto [place, step] : llvm::zip(at, each.steps))
      place = b.add(place, step);
  }
}

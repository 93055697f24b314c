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
    offset = b.add(
        offset, b.mul(values.get(index, TileValues::corner), strides.back()));
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
  // From the indices 0 to the box's first element, and to the lane's.
  each.start = each.lanes = b.i64(0);
  for (auto [dimension, stride, at] :
       llvm::zip(access.dimensions, moving, each.at)) {
    int64_t origin = dimension.origin(shape);
    each.start = b.add(each.start, b.scale(stride, -origin));
    Value from = arith::ExtSIOp::create(b, b.getI64Type(), b.plus(at, -origin));
    each.lanes = b.add(each.lanes, b.mul(from, stride));
  }
  each.rowStride = moving.front();
  // The code of larger tiles' boxes would be long.
  if (!tiling.hasRows && moving.size() == 1)
    each.isDense =
        b.compare(Predicate::eq, moving.front(), b.i64(each.layout.size));
  findAlignment(each, offset, moving);
  return {each, offset};
}

/// Whether whole accesses can fetch a box: its rows are contiguous, and they
/// and all further boxes begin at multiples of an access.
void TileLoops::findAlignment(Staged &each, Value offset,
                              ArrayRef<Value> strides) {
  const TileLayout &layout = each.layout;
  unsigned width = each.access->dimensions.back().extent(shape);
  each.isAligned = arith::ConstantOp::create(b, b.getBoolAttr(false));
  const bool hasPart = width % layout.whole != 0;
  if (layout.whole < 2 || (hasPart && !each.isDense))
    return;
  Value bits = HasChunksOp::create(
      b, b.getI1Type(), each.source,
      SmallVector<Value>(each.source.getType().getRank(), b.i64(0)),
      each.access->dimensions.back().number, layout.whole);
  Value places =
      arith::OrIOp::create(b, b.add(each.start, offset), each.advance);
  if (strides.size() == 2)
    places = arith::OrIOp::create(b, places, strides.front());
  Value rest = b.rem(places, int64_t(layout.whole) * layout.size);
  (hasPart ? each.hasChunks : each.isAligned) =
      b.both(bits, b.compare(Predicate::eq, rest, b.i64(0)));
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
    each.by[0] = threads;
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
    each.by[0] = high;
    each.across = llvm::divideCeil(width, wide);
    each.width = wide;
    each.acrossStep = b.scale(strides[1], wide);
    each.sourceStep = b.scale(strides[0], high);
    each.targetStep = b.i32(layout.withGaps(int64_t(layout.pitch) * high));
    if (isRegular) {
      each.ofThread = width * height / threads;
      each.isTransposed = b.compare(Predicate::slt, b.absolute(strides[0]),
                                    b.absolute(strides[1]));
      auto choose = [&](Value transposed, Value &straight) {
        straight = b.select(each.isTransposed, transposed, straight);
      };
      unsigned low = threads / height;
      each.by[1] = low;
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
  Value depth = b.narrow(b.most(b.least(left, b.i64(shape.depth)), b.i64(0)));
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
      size =
          b.select(b.compare(Predicate::sgt, depth, b.i32(0)), size, b.i32(0));
    first.push_back(low);
    count.push_back(size);
  }
  Block *vectors = b.block(), *single = b.block(), *done = b.block();
  Value isWhole = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Block *dense = each.isDense ? b.block() : single;
  for (auto [dimension, low, size] :
       llvm::zip(each.access->dimensions, first, count)) {
    Value all = b.i32(dimension.extent(shape));
    isWhole = b.both(isWhole, b.compare(Predicate::eq, size, all));
  }
  b.branch(b.both(each.isAligned, isWhole), vectors, {}, dense);
  b.at(vectors);
  fetchVectors(each, parity, offset);
  b.branch(done);
  if (each.isDense) {
    Block *contiguous = b.block();
    b.at(dense);
    b.branch(each.isDense, contiguous, {}, single);
    b.at(contiguous);
    if (each.hasChunks) {
      Block *chunks = b.block(), *elements = b.block();
      Value rest = b.rem(first[0], each.layout.whole);
      b.branch(b.both(each.hasChunks, b.compare(Predicate::eq, rest, b.i32(0))),
               chunks, {}, elements);
      b.at(chunks);
      fetchChunks(each, parity, offset, first[0], count[0]);
      b.branch(done);
      b.at(elements);
    }
    fetchDense(each, parity, offset, first[0], count[0]);
    b.branch(done);
  }
  constexpr unsigned maxOfThread = 16;
  if (each.ofThread && each.ofThread <= maxOfThread) {
    Block *all = b.block(), *some = b.block();
    b.at(single);
    b.branch(isWhole, all, {}, some);
    b.at(all);
    fetchWhole(each, parity, offset);
    b.branch(done);
    single = some;
  }
  b.at(single);
  // What this rare way needs is not computed ahead of all others.
  if (each.isDense)
    offset = KeepOp::create(b, offset);
  fetchEach(each, parity, offset, first, count);
  b.branch(done);
  b.at(done);
}

/// Fetches a whole box by accesses of several elements.
void TileLoops::fetchVectors(const Staged &each, Value parity, Value offset) {
  const TileLayout &layout = each.layout;
  unsigned threads = shape.threads(), width = layout.whole;
  unsigned columns = each.access->dimensions.back().extent(shape) / width;
  unsigned rows = each.access->dimensions.size() == 2
                      ? each.access->dimensions.front().extent(shape)
                      : 1;
  // All lanes go along the last dimension if it is long.
  unsigned along = std::min(threads, llvm::bit_ceil(columns));
  unsigned down = threads / along;
  Value column = b.rem(place.lane, along), row = b.div(place.lane, along);
  Value elements = b.scale(column, width);
  auto placed = [&](Value at) {
    return layout.run ? b.add(at, b.scale(b.div(at, layout.run), layout.gap))
                      : at;
  };
  int64_t pitch = layout.withGaps(layout.pitch);
  Value base = b.add(b.scale(parity, layout.elements),
                     b.widen(b.add(placed(elements), b.scale(row, pitch))));
  Value source =
      b.add(b.add(each.start, offset),
            b.add(b.scale(b.widen(elements), layout.size),
                  rows > 1 ? b.mul(b.widen(row), each.rowStride) : b.i64(0)));
  Value always = arith::ConstantOp::create(b, b.getBoolAttr(true));
  for (unsigned n = 0; n < llvm::divideCeil(rows, down); ++n) {
    Value isRow = (n + 1) * down <= rows
                      ? always
                      : b.compare(Predicate::ult, row, b.i32(rows - n * down));
    for (unsigned m = 0; m < llvm::divideCeil(columns, along); ++m) {
      Value isColumn =
          (m + 1) * along <= columns
              ? always
              : b.compare(Predicate::ult, column, b.i32(columns - m * along));
      int64_t shift = int64_t(m) * along * width;
      auto fetch = FetchOp::create(
          b, each.source, b.plus(source, shift * layout.size), each.array,
          b.plus(base, int64_t(n) * down * pitch + layout.withGaps(shift)),
          b.both(isRow, isColumn));
      fetch->setAttr(fetchedElements, b.getI64IntegerAttr(width));
    }
    if (n + 1 < llvm::divideCeil(rows, down))
      source = b.add(source, b.scale(each.rowStride, down));
  }
}

/// Fetches a whole box element by element, as many for each thread.
void TileLoops::fetchWhole(const Staged &each, Value parity, Value offset) {
  const TileLayout &layout = each.layout;
  Value always = arith::ConstantOp::create(b, b.getBoolAttr(true));
  Value base = b.add(b.scale(parity, layout.elements), b.widen(each.target));
  Block *done = b.block();
  for (bool isTransposed : {true, false}) {
    Block *here = b.block(), *other = isTransposed ? b.block() : nullptr;
    if (isTransposed)
      b.branch(each.isTransposed, here, {}, other);
    else
      b.branch(here);
    b.at(here);
    Value source = b.add(offset, each.lanes);
    int64_t step = isTransposed
                       ? each.by[1]
                       : layout.withGaps(int64_t(layout.pitch) * each.by[0]);
    for (unsigned n = 0; n < each.ofThread; ++n) {
      FetchOp::create(b, each.source, source, each.array,
                      b.plus(base, n * step), always);
      source = b.add(source, each.sourceStep);
    }
    b.branch(done);
    if (isTransposed)
      b.at(other);
  }
  b.at(done);
}

/// Fetches the elements of a box of one dimension that are needed, one by one,
/// at constant distances from one another.
void TileLoops::fetchDense(const Staged &each, Value parity, Value offset,
                           Value first, Value count) {
  const TileLayout &layout = each.layout;
  unsigned threads = shape.threads();
  unsigned extent = each.access->dimensions[0].extent(shape);
  Value source = b.add(offset, each.lanes);
  Value target = b.add(b.scale(parity, layout.elements), b.widen(each.target));
  for (unsigned shift = 0; shift < extent; shift += threads) {
    Value isNeeded =
        b.compare(Predicate::ult,
                  b.plus(b.sub(each.at[0], first), int64_t(shift)), count);
    FetchOp::create(b, each.source,
                    b.plus(source, int64_t(shift) * layout.size), each.array,
                    b.plus(target, layout.withGaps(shift)), isNeeded);
  }
}

/// Fetches the elements that are needed of a box of one dimension, of which the
/// first one begins a chunk: whole chunks at once, and the rest one by one.
void TileLoops::fetchChunks(const Staged &each, Value parity, Value offset,
                            Value first, Value count) {
  const TileLayout &layout = each.layout;
  unsigned threads = shape.threads(), size = layout.whole;
  unsigned extent = each.access->dimensions[0].extent(shape);
  Value box = b.scale(parity, layout.elements);
  Value begin = b.add(each.start, offset);
  auto sourceOf = [&](Value at) {
    return b.add(begin, b.scale(b.widen(at), layout.size));
  };
  auto targetOf = [&](Value at) {
    if (layout.run)
      at = b.add(at, b.scale(b.div(at, layout.run), layout.gap));
    return b.add(box, b.widen(at));
  };
  Value rest = b.rem(count, size), whole = b.sub(count, rest);
  Value lane = b.scale(place.lane, size);
  Value source = sourceOf(lane), target = targetOf(lane);
  for (unsigned shift = 0; shift < extent; shift += threads * size) {
    Value isNeeded = b.compare(
        Predicate::ult, b.plus(b.sub(lane, first), int64_t(shift)), whole);
    auto fetch = FetchOp::create(
        b, each.source, b.plus(source, int64_t(shift) * layout.size),
        each.array, b.plus(target, layout.withGaps(shift)), isNeeded);
    fetch->setAttr(fetchedElements, b.getI64IntegerAttr(size));
  }
  Value last = b.add(b.add(first, whole), place.lane);
  FetchOp::create(b, each.source, sourceOf(last), each.array, targetOf(last),
                  b.compare(Predicate::ult, place.lane, rest));
}

/// Fetches the elements of a box that are needed, one by one.
void TileLoops::fetchEach(const Staged &each, Value parity, Value offset,
                          ArrayRef<Value> first, ArrayRef<Value> count) {
  // Steps along the first dimension or, of transposed lanes, the last one.
  auto steps = [&](unsigned dimension, unsigned by) {
    return b.div(b.plus(b.add(first[dimension], count[dimension]), by - 1), by);
  };
  Value number = steps(0, each.by[0]);
  if (each.isTransposed)
    number = b.select(each.isTransposed, steps(1, each.by[1]), number);
  SmallVector<Value> start = {b.i32(0), b.add(offset, each.lanes), each.target};
  start.append(each.at.begin(), each.at.end());
  Block *header = b.block(ValueRange(start).getTypes()), *body = b.block(),
        *done = b.block();
  b.branch(header, start);
  b.at(header);
  Value n = header->getArgument(0), source = header->getArgument(1),
        target = header->getArgument(2);
  ValueRange at = header->getArguments().drop_front(3);
  b.branch(b.compare(Predicate::slt, n, number), body, {}, done);
  b.at(body);
  SmallVector<Value> next = {b.plus(n, 1), b.add(source, each.sourceStep),
                             b.add(target, each.targetStep)};
  for (auto [place, step] : llvm::zip(at, each.steps))
    next.push_back(b.add(place, step));
  Value isRow = b.compare(Predicate::ult, b.sub(at[0], first[0]), count[0]);
  Value base = b.add(b.scale(parity, each.layout.elements), b.widen(target));
  for (unsigned m = 0; m < each.across; ++m) {
    int64_t shift = int64_t(m) * each.width;
    Value isNeeded = isRow;
    if (at.size() == 2)
      isNeeded = b.both(isRow, b.compare(Predicate::ult,
                                         b.plus(b.sub(at[1], first[1]), shift),
                                         count[1]));
    FetchOp::create(b, each.source, source, each.array,
                    b.plus(base, each.layout.withGaps(shift)), isNeeded);
    if (m + 1 < each.across)
      source = b.add(source, each.acrossStep);
  }
  b.branch(header, next);
  b.at(done);
}

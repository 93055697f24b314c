//===- MatrixFetch.cpp - the elements of a product of matrices ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/MatrixLoops.h"

#include "dialects/LoopToLLVM/KernelBuilder.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = TileBuilder::Predicate;

static constexpr unsigned accessBytes = 16;

MatrixLoops::Factor MatrixLoops::factorOf(const TileAccess &access, bool isLeft,
                                          unsigned sharedAt) {
  unsigned length = isLeft ? shape.rows() : shape.columns();
  Type element = access.element;
  LoadOp load = access.load;
  Factor factor;
  factor.source = load.getArray();
  factor.element = element;
  factor.isLeft = isLeft;
  factor.length = length;
  factor.count = isLeft ? place.rowCount : place.columnCount;
  for (const TileAccess::Dimension &dimension : access.dimensions)
    (dimension.steps[2] ? factor.depthDimension : factor.freeDimension) =
        dimension.number;
  factor.offset = b.i64(0);
  for (auto [d, index] : llvm::enumerate(load.getIndices())) {
    Value stride =
        StrideOp::create(b, b.getI64Type(), factor.source, unsigned(d));
    factor.indices.push_back(values.get(index, TileValues::corner));
    factor.offset = b.add(factor.offset, b.mul(factor.indices.back(), stride));
    if (d == factor.freeDimension)
      factor.freeStride = stride;
    if (d == factor.depthDimension)
      factor.depthStride = stride;
  }
  factor.isTransposed = b.compare(Predicate::slt, b.absolute(factor.freeStride),
                                  b.absolute(factor.depthStride));
  for (bool isTransposed : {false, true}) {
    Value isDense = HasChunksOp::create(b, b.getI1Type(), factor.source,
                                        Values(factor.indices.size(), b.i64(0)),
                                        isTransposed ? factor.freeDimension
                                                     : factor.depthDimension,
                                        accessBytes / storedSize(element));
    Value places = arith::OrIOp::create(b, factor.offset,
                                        isTransposed ? factor.depthStride
                                                     : factor.freeStride);
    factor.isWide[isTransposed] =
        b.both(isDense,
               b.compare(Predicate::eq, b.rem(places, accessBytes), b.i64(0)));
  }
  factor.array = b.sharedArray(element, sharedAt);
  factor.stage = shape.byWarpgroups
                     ? length * shape.depth
                     : stageElements(element, length, shape.depth);
  return factor;
}

MatrixLoops::FetchPart MatrixLoops::partOf(const Reading &reading, Value first,
                                           Value left, Value stage) {
  const Factor &factor = reading.factor;
  const MatrixLayout &layout = reading.layout;
  Value depth = b.most(b.least(left, b.i64(shape.depth)), b.i64(0));
  FetchPart part{reading, first, b.narrow(depth), b.scale(stage, factor.stage)};
  // Neighbouring threads fetch neighbouring parts of a line.
  unsigned whole = accessBytes / layout.size, parts = layout.inner / whole;
  part.lineOf = b.div(place.lane, parts);
  Value column = b.scale(b.rem(place.lane, parts), whole);
  Value length = layout.isTransposed ? factor.count : part.depth;
  Value isWide = factor.isWide[layout.isTransposed];
  Value there = b.most(b.sub(length, column), b.i32(0));
  part.there = b.select(isWide, b.least(there, b.i32(whole)), b.i32(-1));
  part.nothing = b.select(isWide, b.i32(0), b.i32(-1));
  Value step = layout.isTransposed ? factor.depthStride : factor.freeStride;
  part.source = b.add(factor.offset, b.mul(first, factor.depthStride));
  part.source = b.add(part.source, b.scale(b.widen(column), layout.size));
  part.source = b.add(part.source, b.mul(b.widen(part.lineOf), step));
  Value at = layout.place(b, part.lineOf, column);
  part.target = b.add(part.base, b.widen(at));
  return part;
}

bool MatrixLoops::fetchPart(FetchPart &part) {
  const Factor &factor = part.reading.factor;
  const MatrixLayout &layout = part.reading.layout;
  if (part.line >= layout.outer)
    return false;
  Value lines = layout.isTransposed ? part.depth : factor.count;
  Value step = layout.isTransposed ? factor.depthStride : factor.freeStride;
  Value isThere =
      b.compare(Predicate::slt, b.plus(part.lineOf, part.line), lines);
  FetchPartOp::create(b, factor.source, part.source, factor.array,
                      b.plus(part.target, layout.after(part.line)),
                      b.select(isThere, part.there, part.nothing));
  unsigned parts = layout.inner * layout.size / accessBytes;
  unsigned down = shape.threads() / parts; // lines at once
  part.line += down;
  part.source = b.add(part.source, b.scale(step, down));
  return true;
}

void MatrixLoops::fetchOthers(const FetchPart &part) {
  Value isNarrow = b.compare(Predicate::slt, part.nothing, b.i32(0));
  Value isThere = b.compare(Predicate::sgt, part.depth, b.i32(0));
  Block *each = b.block(), *done = b.block();
  b.branch(b.both(isNarrow, isThere), each, {}, done);
  b.at(each);
  fetchEach(part);
  b.branch(done);
  b.at(done);
}

/// Fetches elements one by one, several at once so that their loads overlap.
/// Elements that do not exist repeat one that does, and become 0.
void MatrixLoops::fetchEach(const FetchPart &part) {
  const Factor &factor = part.reading.factor;
  const MatrixLayout &layout = part.reading.layout;
  Value first = part.first, depth = part.depth, base = part.base;
  constexpr unsigned together = 8;
  unsigned threads = shape.threads();
  unsigned rounds = layout.inner * layout.outer / threads / together;
  Type element = factor.element;
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
  Block *header = b.block(b.getI32Type()), *body = b.block(), *done = b.block();
  b.branch(header, b.i32(0));
  b.at(header);
  Value round = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, round, b.i32(rounds)), body, {}, done);
  b.at(body);
  Value start = b.add(place.lane, b.scale(round, threads * together));
  Values loaded, places;
  for (unsigned n = 0; n < together; ++n) {
    Value number = b.plus(start, n * threads);
    Value in = b.rem(number, layout.inner), out = b.div(number, layout.inner);
    Value free = layout.isTransposed ? in : out,
          k = layout.isTransposed ? out : in;
    Value isThere = b.both(b.compare(Predicate::slt, free, factor.count),
                           b.compare(Predicate::slt, k, depth));
    auto within = [&](Value at, Value count) {
      return b.widen(b.least(at, b.plus(count, -1)));
    };
    Values indices = factor.indices;
    Value &freeIndex = indices[factor.freeDimension];
    freeIndex = b.add(freeIndex, within(free, factor.count));
    Value &depthIndex = indices[factor.depthDimension];
    depthIndex = b.add(b.add(depthIndex, first), within(k, depth));
    Value value = LoadOp::create(b, element, factor.source, indices);
    loaded.push_back(b.select(isThere, value, zero));
    places.push_back(b.add(base, b.widen(layout.place(b, out, in))));
  }
  for (auto [value, at] : llvm::zip(loaded, places))
    StoreOp::create(b, value, factor.array, at);
  b.branch(header, b.plus(round, 1));
  b.at(done);
}

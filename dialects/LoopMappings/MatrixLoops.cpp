//===- MatrixLoops.cpp - the loop of a product of matrices ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/MatrixLoops.h"

#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/Carried.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/Ranges.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = TileBuilder::Predicate;

void MatrixLoops::reduce() {
  ReduceOp op = tiling.reductions.front();
  const MatrixProduct &product = *tiling.product;
  auto bound = [&](Value value) { return values.get(value, {}); };
  Value trips = tripCount(b, bound(op.getLower()), bound(op.getUpper()),
                          bound(op.getStep()));
  values.enter();
  values.set(op.inductionVar(), {}, values.get(op.getLower(), {}));
  Factor left = factorOf(tiling.accesses[product.left], true, 0);
  Factor right =
      factorOf(tiling.accesses[product.right], false,
               shape.stages * left.stage * storedSize(product.element));
  values.leave();

  Values none(shape.rowsEach * shape.columnsEach,
              Carried::initial(b, op, b.i64(0)).list().front());
  Block *done = b.block(ValueRange(none).getTypes());
  // A loop for each way in which the arrays may lie.
  constexpr unsigned ways = 4;
  for (unsigned way = 0; way < ways; ++way) {
    const bool transposed[] = {(way & 1) != 0, (way & 2) != 0};
    auto lies = [&](const Factor &factor, bool isTransposed) {
      return b.compare(
          Predicate::eq, factor.isTransposed,
          arith::ConstantOp::create(b, b.getBoolAttr(isTransposed)));
    };
    Block *loop = b.block(), *next = way + 1 < ways ? b.block() : nullptr;
    if (next)
      b.branch(b.both(lies(left, transposed[0]), lies(right, transposed[1])),
               loop, {}, next);
    else
      b.branch(loop);
    b.at(loop);
    b.branch(done, emitLoop(readingOf(left, transposed[0]),
                            readingOf(right, transposed[1]), trips, none));
    if (next)
      b.at(next);
  }
  b.at(done);
  size_t at = 0;
  for (unsigned row = 0; row < shape.rowsEach; ++row)
    for (unsigned column = 0; column < shape.columnsEach; ++column)
      values.set(op.getResult(), {row, column}, done->getArgument(at++));
}

/// Where a lane reads its first elements (loop.load_matrices,
/// loop.multiply_matrices).
MatrixLoops::Reading MatrixLoops::readingOf(const Factor &factor,
                                            bool isTransposed) {
  if (shape.byWarpgroups) {
    auto layout =
        MatrixLayout::swizzled(factor.element, factor.length, shape.depth,
                               isTransposed, factor.isLeft);
    constexpr unsigned warps = 4, rows = 64;
    Value group = b.div(place.rowWarp, warps);
    Value first = factor.isLeft ? b.scale(group, rows * shape.depth) : b.i32(0);
    return {factor, layout, b.widen(first)};
  }
  MatrixLayout layout(factor.element, factor.length, shape.depth, isTransposed);
  Value warp = factor.isLeft ? place.rowWarp : place.columnWarp;
  Value free = b.scale(warp, matrixEdge), depth;
  if (isHalf()) {
    Value matrix = b.div(place.inWarp, matrixEdge);
    Value line = b.rem(place.inWarp, matrixEdge);
    unsigned warps = factor.isLeft ? shape.rowWarps() : shape.columnWarps();
    Value low = b.rem(matrix, 2), high = b.div(matrix, 2);
    free = b.add(free, b.scale(factor.isLeft ? low : high, matrixEdge * warps));
    depth = b.scale(factor.isLeft ? high : low, matrixEdge);
    Value &moving = isTransposed ? depth : free;
    moving = b.add(moving, line);
  } else {
    free = b.add(free, b.div(place.inWarp, 4));
    depth = b.rem(place.inWarp, 4);
  }
  Value place = isTransposed ? b.add(b.scale(depth, layout.pitch), free)
                             : b.add(b.scale(free, layout.pitch), depth);
  return {factor, layout, b.widen(place)};
}

MatrixLoops::Values MatrixLoops::emitLoop(const Reading &left,
                                          const Reading &right, Value trips,
                                          ArrayRef<Value> none) {
  unsigned ahead = shape.stages - 1;
  Value parts = b.div(b.plus(trips, shape.depth - 1), shape.depth);
  Value last = b.plus(parts, ahead);
  Values start = {b.i64(0), b.i64(0)};
  start.append(none.begin(), none.end());
  Block *header = b.block(ValueRange(start).getTypes()), *body = b.block(),
        *multiplying = b.block(), *filling = b.block(),
        *others = b.block(ValueRange(none).getTypes()), *done = b.block();
  b.branch(header, start);
  b.at(header);
  // The part that is fetched, and its stage. The one in the next stage is the
  // oldest.
  Value part = header->getArgument(0), stage = header->getArgument(1);
  Values sums(header->getArguments().drop_front(2));
  b.branch(b.compare(Predicate::slt, part, last), body, {}, done);
  b.at(body);
  Value after = b.plus(stage, 1);
  Value oldest = b.select(b.compare(Predicate::eq, after, b.i64(shape.stages)),
                          b.i64(0), after);
  auto await = AwaitOp::create(b);
  await->setAttr(aheadAttribute, b.getI64IntegerAttr(shape.stages - 2));
  if (shape.byWarpgroups)
    FenceSharedOp::create(b);
  BarrierOp::create(b);
  Value first = b.scale(part, shape.depth);
  Value rest = b.sub(trips, first);
  b.branch(b.compare(Predicate::sge, part, b.i64(ahead)), multiplying, {},
           filling);
  // Addresses are computed where the first part is fetched: after the units
  // have begun.
  using FetchParts = std::array<FetchPart, 2>;
  auto both = [&, first, rest, stage] {
    return FetchParts{partOf(left, first, rest, stage),
                      partOf(right, first, rest, stage)};
  };
  auto fetching = [&] {
    return [this, &both, parts = std::optional<FetchParts>()]() mutable {
      if (!parts)
        parts.emplace(both());
      return fetchPart((*parts)[0]) || fetchPart((*parts)[1]);
    };
  };
  b.at(multiplying);
  b.branch(others, shape.byWarpgroups
                       ? multiplyTogether(left, right, oldest, sums, fetching())
                       : multiplyPart(left, right, oldest, sums, fetching()));
  // There is nothing to multiply yet.
  b.at(filling);
  for (auto fetch = fetching(); fetch();) {
  }
  b.branch(others, sums);
  b.at(others);
  for (const FetchPart &each : both())
    fetchOthers(each);
  Values next = {b.plus(part, 1), oldest};
  next.append(Values(others->getArguments()));
  b.branch(header, next);
  b.at(done);
  if (shape.byWarpgroups) {
    auto last = AwaitProductOp::create(b, ValueRange(sums).getTypes(), sums);
    sums.assign(last.getResults().begin(), last.getResults().end());
  }
  // What follows uses the same memory, to which the last parts, zeros, may
  // still be on their way.
  AwaitOp::create(b);
  BarrierOp::create(b);
  return sums;
}

MatrixLoops::Values MatrixLoops::leftPart(const Reading &left, Value base,
                                          unsigned step, unsigned rows) {
  unsigned apart = matrixEdge * shape.rowWarps();
  auto at = [&](unsigned row, unsigned depth) {
    return b.plus(
        base, left.layout.at(int64_t(row) * apart, step * matrixDepth + depth));
  };
  if (isHalf())
    return Values(LoadMatricesOp::create(b,
                                         SmallVector<Type>(4, b.getI32Type()),
                                         left.factor.array, at(2 * rows, 0),
                                         left.layout.isTransposed)
                      .getWords());
  Values part;
  for (unsigned i = 0; i < 8; ++i)
    part.push_back(LoadOp::create(b, b.getF64Type(), left.factor.array,
                                  at(2 * rows + i % 2, i / 2 * 4)));
  return part;
}

MatrixLoops::Values MatrixLoops::rightPart(const Reading &right, Value base,
                                           unsigned step) {
  unsigned apart = matrixEdge * shape.columnWarps();
  unsigned count = shape.columnsEach / shape.columnRun;
  auto at = [&](unsigned column, unsigned depth) {
    return b.plus(base, right.layout.at(int64_t(column) * apart,
                                        step * matrixDepth + depth));
  };
  Values part;
  if (isHalf()) {
    for (unsigned column = 0; column < count; column += 2)
      llvm::append_range(
          part, LoadMatricesOp::create(b, SmallVector<Type>(4, b.getI32Type()),
                                       right.factor.array, at(column, 0),
                                       right.layout.isTransposed)
                    .getWords());
    return part;
  }
  for (unsigned column = 0; column < count; ++column)
    for (unsigned i = 0; i < 4; ++i)
      part.push_back(LoadOp::create(b, b.getF64Type(), right.factor.array,
                                    at(column, i * 4)));
  return part;
}

MatrixLoops::Values
MatrixLoops::multiplyTogether(const Reading &left, const Reading &right,
                              Value stage, ArrayRef<Value> sums,
                              const std::function<bool()> &meanwhile) {
  auto place = [&](const Reading &reading) {
    return b.add(b.scale(stage, reading.factor.stage), reading.lane);
  };
  // Pairs of columns, each of one row and then of the other one.
  auto at = [&](unsigned number) {
    unsigned column = number / 4 * 2 + number % 2, row = number / 2 % 2;
    return row * shape.columnsEach + column;
  };
  Values ordered;
  for (unsigned number = 0; number < sums.size(); ++number)
    ordered.push_back(sums[at(number)]);
  auto started = StartProductOp::create(
      b, ValueRange(ordered).getTypes(), left.factor.array, place(left),
      right.factor.array, place(right), ordered, left.layout.isTransposed,
      right.layout.isTransposed);
  // What was started before is done, in all warps: its stage is free. The units
  // go on meanwhile.
  auto done = AwaitProductOp::create(b, ValueRange(ordered).getTypes(),
                                     started.getResults());
  done->setAttr(aheadAttribute, b.getI64IntegerAttr(1));
  BarrierOp::create(b);
  while (meanwhile()) {
  }
  Values results(sums.size());
  for (unsigned number = 0; number < sums.size(); ++number)
    results[at(number)] = done.getResults()[number];
  return results;
}

/// Multiplies the parts in a stage. The elements for the next step are read
/// before.
MatrixLoops::Values
MatrixLoops::multiplyPart(const Reading &left, const Reading &right,
                          Value stage, Values sums,
                          const std::function<bool()> &meanwhile) {
  auto base = [&](const Reading &reading) {
    return b.add(b.scale(stage, reading.factor.stage), reading.lane);
  };
  Value leftBase = base(left), rightBase = base(right);
  unsigned steps = shape.depth / matrixDepth, rows = shape.rowsEach / 2;
  unsigned columns = shape.columnsEach / shape.columnRun;
  unsigned words = isHalf() ? 2 : 4; // of `columns` each
  Values nextRight = rightPart(right, rightBase, 0);
  Values nextLeft = leftPart(left, leftBase, 0, 0);
  for (unsigned step = 0; step < steps; ++step) {
    Values ofColumns = nextRight;
    if (step + 1 < steps)
      nextRight = rightPart(right, rightBase, step + 1);
    for (unsigned row = 0; row < rows; ++row) {
      Values ofRows = nextLeft;
      if (row + 1 < rows)
        nextLeft = leftPart(left, leftBase, step, row + 1);
      else if (step + 1 < steps)
        nextLeft = leftPart(left, leftBase, step + 1, 0);
      for (unsigned column = 0; column < columns; ++column) {
        Value *sum[4];
        Values before;
        for (unsigned i = 0; i < 4; ++i) {
          sum[i] = &sums[(2 * row + i / 2) * shape.columnsEach +
                         shape.columnRun * column + i % 2];
          before.push_back(*sum[i]);
        }
        auto product = MultiplyMatricesOp::create(
            b, ValueRange(before).getTypes(), tiling.product->element, ofRows,
            ArrayRef(ofColumns).slice(column * words, words), before);
        for (unsigned i = 0; i < 4; ++i)
          *sum[i] = product.getResults()[i];
      }
      meanwhile();
    }
  }
  while (meanwhile()) {
  }
  return sums;
}

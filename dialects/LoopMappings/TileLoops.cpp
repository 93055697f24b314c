//===- TileLoops.cpp - the reductions of a tile ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/TileLoops.h"

#include "dialects/LoopToLLVM/Ranges.h"

#include <set>

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = TileBuilder::Predicate;

SmallVector<Value> TileLoops::listOf(ArrayRef<Carried> sums) {
  SmallVector<Value> list;
  for (const Carried &sum : sums)
    list.append(sum.list());
  return list;
}

SmallVector<Carried> TileLoops::carriedFrom(ReduceOp op, ValueRange list) {
  SmallVector<Carried> sums;
  size_t each = list.size() / (shape.rowsEach * shape.columnsEach);
  for (size_t at = 0; at < list.size(); at += each)
    sums.push_back(Carried::from(op, list.slice(at, each)));
  return sums;
}

void TileLoops::setResults(ReduceOp op, ArrayRef<Carried> sums) {
  size_t next = 0;
  forItems([&](Item item) {
    const Carried &sum = sums[next++];
    values.set(op.getResult(), item, result(b, op.getKind(), sum.sum));
    if (op.getKept())
      values.set(op.getKept(), item, sum.kept);
  });
}

void TileLoops::reduce(ReduceOp op) { setResults(op, emit(op)); }

SmallVector<Carried> TileLoops::emit(ReduceOp op) {
  auto bound = [&](Value value) { return values.get(value, {}); };
  Value trips = tripCount(b, bound(op.getLower()), bound(op.getUpper()),
                          bound(op.getStep()));
  Value zero = b.i64(0);
  Value begin = b.createOrFold<arith::SelectOp>(
      b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sgt, trips, zero),
      zero, b.i64(INT64_MAX));
  SmallVector<Carried> initial(shape.rowsEach * shape.columnsEach,
                               Carried::initial(b, op, begin));
  return innermostOf(op) == op ? emitInner(op, trips, initial)
                               : emitOuter(op, trips, initial);
}

void TileLoops::addIteration(ReduceOp op, Value k, SmallVector<Carried> &sums) {
  size_t next = 0;
  forItems([&](Item item) {
    SmallVector<Value> yielded;
    for (Value value : op.entry().getTerminator()->getOperands())
      yielded.push_back(values.get(value, item));
    sums[next] = accumulate(b, op.getKind(), sums[next], yielded, k);
    ++next;
  });
}

/// A plain loop around the reduction inside.
SmallVector<Carried> TileLoops::emitOuter(ReduceOp op, Value trips,
                                          ArrayRef<Carried> initial) {
  SmallVector<Value> start = {b.i64(0)};
  start.append(listOf(initial));
  Block *header = b.block(ValueRange(start).getTypes()), *body = b.block(),
        *done = b.block();
  b.branch(header, start);
  b.at(header);
  Value k = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, k, trips), body, {}, done);
  b.at(body);
  values.enter();
  values.set(op.inductionVar(), {},
             inductionValue(b, values.get(op.getLower(), {}),
                            values.get(op.getStep(), {}), k));
  for (Operation &inner : op.entry())
    if (auto reduce = dyn_cast<ReduceOp>(inner))
      this->reduce(reduce);
  SmallVector<Carried> sums =
      carriedFrom(op, header->getArguments().drop_front());
  addIteration(op, k, sums);
  values.leave();
  SmallVector<Value> next = {b.plus(k, 1)};
  next.append(listOf(sums));
  b.branch(header, next);
  b.at(done);
  return carriedFrom(op, header->getArguments().drop_front());
}

/// Where an element lies, from the first one of a block of iterations.
int64_t TileLoops::placeOf(const Staged &from, Item item,
                           unsigned inBlock) const {
  const TileLayout &layout = from.layout;
  return layout.origin + layout.steps[0] * rowOf(shape, item.row) +
         layout.steps[1] * columnOf(shape, item.column) +
         layout.steps[2] * inBlock;
}

/// The elements of one access to shared memory, from `first` on.
SmallVector<Value> &TileLoops::chunkAt(const Staged &from, int64_t first) {
  const TileLayout &layout = from.layout;
  Type type = from.access->element;
  SmallVector<Value> &chunk = loaded[{from.access, first}];
  if (chunk.empty()) {
    Value index = b.plus(from.base, layout.withGaps(first));
    if (layout.vector == 1)
      chunk = {LoadOp::create(b, type, from.array, index)};
    else
      chunk = LoadChunkOp::create(b, SmallVector<Type>(layout.vector, type),
                                  from.array, index, /*dimension=*/0)
                  .getElements();
  }
  return chunk;
}

Value TileLoops::read(LoadOp load, Item item) {
  const Staged &from = *llvm::find_if(
      staged, [&](const Staged &each) { return each.load == load; });
  int64_t at = placeOf(from, item, iteration);
  int64_t first = at / from.layout.vector * from.layout.vector;
  return chunkAt(from, first)[size_t(at - first)];
}

/// The chunks of a block of iterations that the block before it has read too,
/// in a window that slides. A thread keeps them in registers.
SmallVector<TileLoops::Kept> TileLoops::keptChunks() {
  SmallVector<Kept> kept;
  if (tiling.hasRows)
    return kept;
  for (const Staged &from : staged) {
    std::set<int64_t> all;
    for (unsigned inBlock = 0; inBlock < shape.unroll; ++inBlock)
      forItems([&](Item item) {
        all.insert(placeOf(from, item, inBlock) / from.layout.vector *
                   from.layout.vector);
      });
    int64_t shift = from.layout.steps[2] * shape.unroll;
    for (int64_t first : all)
      if (all.contains(first + shift))
        kept.push_back({&from, first, first + shift});
  }
  return kept;
}

/// Reads the elements of the iterations from the first one on, so that nothing
/// waits for them in branches. What is beyond the last one is not used.
void TileLoops::readAhead() {
  for (iteration = 0; iteration + 1 < shape.unroll; ++iteration)
    for (const Staged &each : staged)
      forItems([&](Item item) { read(each.load, item); });
  iteration = 0;
}

/// Where the elements of the block's first iteration begin, for a thread's
/// first item.
void TileLoops::setBases(Value parity, Value blockNumber) {
  for (Staged &each : staged) {
    const TileLayout &layout = each.layout;
    auto move = [&](Value number, int64_t by) {
      return b.scale(number, layout.withGaps(by));
    };
    each.base =
        b.add(b.add(b.scale(parity, layout.elements),
                    b.add(move(place.rowThread, layout.steps[0] * shape.rowRun),
                          move(place.columnThread,
                               layout.steps[1] * shape.columnRun))),
              move(blockNumber, layout.steps[2] * shape.unroll));
  }
}

SmallVector<Carried> TileLoops::emitInner(ReduceOp op, Value trips,
                                          ArrayRef<Carried> initial) {
  SmallVector<Value> none = listOf(initial);
  Block *setup = b.block(), *done = b.block(ValueRange(none).getTypes());
  b.branch(b.compare(Predicate::sgt, trips, b.i64(0)), setup, {}, done, none);

  // What all iterations share, and the places of their elements.
  b.at(setup);
  values.enter();
  for (Operation &inner : op.entry().without_terminator())
    for (Value value : inner.getResults())
      if (!(tiling.dependenceOf(value) & innerIndex))
        forItems([&](Item item) { values.get(value, item); });
  staged.clear();
  SmallVector<Value> start = {b.i64(0), b.i64(0)};
  unsigned sharedAt = 0;
  for (const TileAccess &access : tiling.accesses) {
    if (access.load->getParentOp() != op)
      continue;
    values.enter();
    values.set(op.inductionVar(), {}, values.get(op.getLower(), {}));
    auto [each, offset] = stage(access, sharedAt);
    values.leave();
    sharedAt += unsigned(llvm::alignTo(each.layout.elements * each.layout.size *
                                           (shape.isDouble ? 2 : 1),
                                       16));
    staged.push_back(each);
    start.push_back(offset);
  }
  auto fetchAll = [&](Value left, Value parity, ValueRange offsets) {
    for (auto [each, offset] : llvm::zip(staged, offsets))
      fetch(each, left, parity, offset);
  };
  if (shape.isDouble)
    fetchAll(trips, b.i64(0), ArrayRef(start).drop_front(2));
  start.append(none);
  size_t ahead = 2 + staged.size();

  // A piece of `depth` iterations.
  Block *header = b.block(ValueRange(start).getTypes()), *piece = b.block(),
        *finish = b.block();
  b.branch(header, start);
  b.at(header);
  Value k = header->getArgument(0), parity = header->getArgument(1);
  ValueRange offsets = header->getArguments().slice(2, staged.size());
  b.branch(b.compare(Predicate::slt, k, trips), piece, {}, finish);
  b.at(piece);
  Value left = b.sub(trips, k);
  Value otherParity = b.sub(b.i64(1), parity);
  SmallVector<Value> next = {b.plus(k, shape.depth),
                             shape.isDouble ? otherParity : parity};
  for (auto [each, offset] : llvm::zip(staged, offsets))
    next.push_back(b.add(offset, each.advance));
  if (!shape.isDouble)
    fetchAll(left, parity, offsets);
  AwaitOp::create(b);
  BarrierOp::create(b);
  if (shape.isDouble) {
    // A window has too few results to hide the cost of elements that are
    // fetched but not used.
    Block *more = tiling.hasRows ? nullptr : b.block();
    Block *on = more ? b.block() : nullptr;
    if (more) {
      b.branch(b.compare(Predicate::sgt, left, b.i64(shape.depth)), more, {},
               on);
      b.at(more);
    }
    fetchAll(b.plus(left, -int64_t(shape.depth)), otherParity,
             ArrayRef(next).drop_front(2));
    if (more) {
      b.branch(on);
      b.at(on);
    }
  }
  Value count = b.narrow(b.least(left, b.i64(shape.depth)));

  // Blocks of `unroll` iterations, and then the rest.
  SmallVector<Value> blockStart = {b.i64(0)};
  blockStart.append(
      SmallVector<Value>(header->getArguments().drop_front(ahead)));
  SmallVector<Kept> kept = keptChunks();
  loaded.clear();
  setBases(parity, b.i64(0));
  for (const Kept &each : kept)
    blockStart.append(chunkAt(*each.from, each.first));
  Block *blocks = b.block(ValueRange(blockStart).getTypes()),
        *whole = b.block(), *rest = b.block(),
        *latch = b.block(done->getArgumentTypes());
  b.branch(blocks, blockStart);
  b.at(blocks);
  Value number = blocks->getArgument(0);
  Value before = b.scale(number, shape.unroll);
  Value remaining = b.sub(count, b.narrow(before));
  b.branch(b.compare(Predicate::sge, remaining, b.i32(shape.unroll)), whole, {},
           rest);
  auto sumsAtStart = [&] {
    loaded.clear();
    ValueRange values = blocks->getArguments().drop_front(1 + none.size());
    for (const Kept &each : kept) {
      size_t size = each.from->layout.vector;
      loaded[{each.from->access, each.first}] =
          SmallVector<Value>(values.take_front(size));
      values = values.drop_front(size);
    }
    return carriedFrom(op, blocks->getArguments().slice(1, none.size()));
  };
  auto step = [&](SmallVector<Carried> &sums) {
    values.enter();
    Value at = b.plus(b.add(k, before), iteration);
    values.set(op.inductionVar(), {},
               inductionValue(b, values.get(op.getLower(), {}),
                              values.get(op.getStep(), {}), at));
    addIteration(op, at, sums);
    values.leave();
  };
  b.at(whole);
  SmallVector<Carried> sums = sumsAtStart();
  setBases(parity, number);
  for (iteration = 0; iteration < shape.unroll; ++iteration)
    step(sums);
  SmallVector<Value> nextBlock = {b.plus(number, 1)};
  nextBlock.append(listOf(sums));
  for (const Kept &each : kept)
    nextBlock.append(chunkAt(*each.from, each.before));
  b.branch(blocks, nextBlock);

  b.at(rest);
  sums = sumsAtStart();
  setBases(parity, number);
  for (iteration = 0; iteration + 1 < shape.unroll; ++iteration) {
    Block *more = b.block();
    b.branch(b.compare(Predicate::sgt, remaining, b.i32(iteration)), more, {},
             latch, listOf(sums));
    b.at(more);
    if (iteration == 0 && !tiling.hasRows)
      readAhead();
    step(sums);
  }
  b.branch(latch, listOf(sums));

  b.at(latch);
  if (!shape.isDouble)
    BarrierOp::create(b);
  next.append(SmallVector<Value>(latch->getArguments()));
  b.branch(header, next);

  // The next reduction uses the same memory.
  b.at(finish);
  BarrierOp::create(b);
  b.branch(done, header->getArguments().drop_front(ahead));
  values.leave();
  b.at(done);
  return carriedFrom(op, done->getArguments());
}

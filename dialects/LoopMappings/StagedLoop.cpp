//===- StagedLoop.cpp - a loop in order through shared memory -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/StagedLoop.h"

#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/Chunk.h"
#include "dialects/LoopToLLVM/IndexBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The number of iterations whose elements a thread reads and writes in one
/// access. Groups of iterations have as many or twice as many.
static constexpr int64_t together = 4;

static Type elementOf(Value array) {
  return cast<ArrayType>(array.getType()).getElementType();
}

Value kern::ir::loop::makeTile(ImplicitLocOpBuilder &b, KernelOp kernel,
                               const Staging &staging, bool isChunked) {
  b.setInsertionPointToStart(&kernel.entry());
  SmallVector<Value> extents;
  for (const DimTokens &extent : staging.extents)
    extents.push_back(b.createOrFold<arith::MaxSIOp>(
        dimValue(b, kernel, extent),
        arith::ConstantOp::create(b, b.getI64IntegerAttr(0))));
  DimTokens bytes = pitchOf(staging.array, staging.extents, isChunked);
  auto tile = LocalOp::create(
      b,
      ArrayType::get(b.getContext(), elementOf(staging.array),
                     unsigned(extents.size())),
      extents, /*zeroed=*/false, attributeOf(b.getContext(), bytes),
      /*slot=*/IntegerAttr(), /*per_lane=*/true, /*per_slice=*/false,
      /*shared=*/true);
  if (isChunked)
    tile->setAttr(chunkedAttribute, b.getUnitAttr());
  return tile;
}

namespace {

class LoopStager : IndexBuilder {
public:
  /// `tiles` are those of the loop's `arrays`.
  LoopStager(KernelOp kernel, const StagePlan &plan, OrderedLoop &loop,
             ArrayRef<Staging> arrays, ArrayRef<Value> tiles)
      : IndexBuilder(kernel.getLoc(), kernel.getContext()), kernel(kernel),
        plan(plan), loop(loop), arrays(arrays), tiles(tiles) {}
  void run();

private:
  /// Moves the iterations from `first` on between memory and a tile.
  template <typename Op>
  void move(const Staging &staging, Value tile, Value first, Value count);
  void fetchAll(Value first, int64_t ahead);
  void flushAll(Value first, Value count);
  void makeStrips();
  void makeGroups();
  void useTiles();
  Value placeOf(const Staging &staging, Value iteration);
  SmallVector<Value> loadGroup(const Staging &staging, Value tile,
                               Value iteration);
  void storeGroup(const Staging &staging, Value tile, Value iteration,
                  ArrayRef<Value> values);
  SmallVector<Value> copyIteration(ArrayRef<Value> arguments, int64_t number,
                                   SmallVectorImpl<SmallVector<Value>> &groups);
  unsigned operations();

  KernelOp kernel;
  const StagePlan &plan;
  OrderedLoop &loop;
  ArrayRef<Staging> arrays;
  ArrayRef<Value> tiles;
  cf::BranchOp start; ///< of a strip's iterations
  Value limit;        ///< of a strip
};

} // namespace

template <typename Op>
void LoopStager::move(const Staging &staging, Value tile, Value first,
                      Value count) {
  SmallVector<Value> indices = loop.indicesAt(b, staging.uses.front(), first);
  SmallVector<Value> extents(indices.size(), constant(1));
  extents[staging.dimension] = count;
  Value at = staging.isRead ? placeOf(staging, first) : constant(0);
  Op::create(b, staging.array, indices, extents, tile, at,
             uint64_t(plan.strip));
}

/// Fetches a strip, and waits for the one of `ahead` fetches before.
void LoopStager::fetchAll(Value first, int64_t ahead) {
  Value left = fold<arith::SubIOp>(loop.bound, first);
  Value count = fold<arith::MaxSIOp>(
      fold<arith::MinSIOp>(left, constant(plan.strip)), constant(0));
  for (auto [staging, tile] : llvm::zip(arrays, tiles))
    if (staging.isRead)
      move<StageInOp>(staging, tile, first, count);
  auto wait = StageWaitOp::create(b);
  wait->setAttr(aheadAttribute, b.getI64IntegerAttr(ahead));
}

void LoopStager::flushAll(Value first, Value count) {
  for (auto [staging, tile] : llvm::zip(arrays, tiles))
    if (staging.isWritten)
      move<StageOutOp>(staging, tile, first, count);
}

/// Where an iteration's element is in a tile.
Value LoopStager::placeOf(const Staging &staging, Value iteration) {
  int64_t room = staging.isRead ? plan.strips * plan.strip : plan.strip;
  return fold<arith::AndIOp>(iteration, constant(room - 1));
}

/// An outer loop over strips.
void LoopStager::makeStrips() {
  auto enter = cast<cf::BranchOp>(loop.preheader->getTerminator());
  Block *outer = new Block, *begin = new Block, *end = new Block;
  for (BlockArgument argument : loop.head->getArguments())
    outer->addArgument(argument.getType(), argument.getLoc());
  loop.replaceOutside(outer->getArguments());
  auto &blocks = kernel.getBody().getBlocks();
  for (Block *block : {outer, begin, end})
    blocks.insert(loop.head->getIterator(), block);
  Value i = outer->getArgument(loop.index.getArgNumber());
  b.setInsertionPoint(enter);
  int64_t ahead = plan.strips - 1;
  for (int64_t k = 0; k < ahead; ++k)
    fetchAll(constant(k * plan.strip), ahead);
  cf::BranchOp::create(b, outer, enter.getDestOperands());
  enter.erase();
  b.setInsertionPointToEnd(outer);
  cf::CondBranchOp::create(b, compare(Predicate::slt, i, loop.bound), begin,
                           loop.exit);
  b.setInsertionPointToEnd(begin);
  Value isLater = compare(Predicate::sgt, i, constant(0));
  flushAll(fold<arith::SubIOp>(i, constant(plan.strip)),
           select(isLater, constant(plan.strip), constant(0)));
  fetchAll(fold<arith::AddIOp>(i, constant(ahead * plan.strip)), ahead);
  Value next = fold<arith::AddIOp>(i, constant(plan.strip));
  limit = fold<arith::MinSIOp>(next, loop.bound);
  start = cf::BranchOp::create(b, loop.head, outer->getArguments());
  b.setInsertionPointToEnd(end);
  cf::BranchOp::create(b, outer, loop.head->getArguments());
  // The inner one.
  auto test = cast<cf::CondBranchOp>(loop.head->getTerminator());
  b.setInsertionPoint(test);
  cf::CondBranchOp::create(b, compare(Predicate::slt, loop.index, limit),
                           loop.body, end);
  test.erase();
  // After the last strip.
  b.setInsertionPointToStart(loop.exit);
  Value whole = fold<arith::MaxSIOp>(loop.bound, constant(0));
  Value last = fold<arith::AndIOp>(fold<arith::SubIOp>(whole, constant(1)),
                                   constant(-plan.strip));
  Value isAny = compare(Predicate::sgt, whole, constant(0));
  flushAll(last, select(isAny, fold<arith::SubIOp>(whole, last), constant(0)));
}

/// The elements of a group of iterations, in wide accesses.
SmallVector<Value> LoopStager::loadGroup(const Staging &staging, Value tile,
                                         Value iteration) {
  Type element = elementOf(tile);
  int64_t step = std::min<int64_t>(
      int64_t(chunkedAccess(uint64_t(together) * storedSize(element))) /
          storedSize(element),
      together);
  SmallVector<Value> values;
  Value place = placeOf(staging, iteration);
  for (int64_t k = 0; k < together; k += step) {
    Value at = fold<arith::AddIOp>(place, constant(k));
    SmallVector<Type> types(size_t(step), element);
    auto chunk = LoadChunkOp::create(b, types, tile, at, /*dimension=*/0);
    llvm::append_range(values, chunk.getElements());
  }
  return values;
}

void LoopStager::storeGroup(const Staging &staging, Value tile, Value iteration,
                            ArrayRef<Value> values) {
  unsigned size = storedSize(elementOf(tile));
  size_t step = chunkedAccess(uint64_t(together) * size) / size;
  Value place = placeOf(staging, iteration);
  for (size_t k = 0; k < values.size(); k += step)
    StoreChunkOp::create(b, values.slice(k, step), tile,
                         fold<arith::AddIOp>(place, constant(int64_t(k))),
                         /*dimension=*/0);
}

unsigned LoopStager::operations() {
  unsigned sum = 0;
  for (Block *block : loop.blocks)
    sum += unsigned(llvm::range_size(*block));
  return sum;
}

/// Overlaps groups of iterations, at most `count`.
static void unroll(Operation *latch, unsigned count, unsigned operations,
                   unsigned maxOperations) {
  while (count > 1 && operations * count > maxOperations)
    count /= 2;
  Builder b(latch->getContext());
  auto unrolling = LLVM::LoopUnrollAttr::get(
      b.getContext(), {}, b.getI32IntegerAttr(int32_t(count)), {}, {}, {}, {},
      {});
  latch->setAttr("loop_annotation",
                 LLVM::LoopAnnotationAttr::get(b.getContext(), {}, {}, {},
                                               unrolling, {}, {}, {}, {}, {},
                                               {}, {}, {}, {}, {}, {}));
}

/// Appends a copy of an iteration, and returns the arguments of the next one.
/// `groups` has the elements of each array: those that are read come from
/// there, those that are written go there.
SmallVector<Value>
LoopStager::copyIteration(ArrayRef<Value> arguments, int64_t number,
                          SmallVectorImpl<SmallVector<Value>> &groups) {
  IRMapping map;
  llvm::SmallPtrSet<Operation *, 8> staged;
  for (auto [staging, group] : llvm::zip(arrays, groups))
    for (Operation *op : staging.uses) {
      staged.insert(op);
      if (staging.isRead)
        map.map(op->getResult(0), group[size_t(number)]);
    }
  SmallVector<Value> next = loop.copyIteration(b, arguments, map, staged);
  for (auto [staging, group] : llvm::zip(arrays, groups))
    if (staging.isWritten)
      group.push_back(
          map.lookupOrDefault(cast<StoreOp>(staging.uses.front()).getValue()));
  return next;
}

/// A loop over groups of iterations before the loop over single ones. Elements
/// come from shared memory four iterations before they are used, if groups have
/// eight, since a load would otherwise wait for the stores before it. A group
/// of four loads those of the next group first.
void LoopStager::makeGroups() {
  Block *groups = new Block, *body = new Block;
  auto &blocks = kernel.getBody().getBlocks();
  for (Block *block : {groups, body})
    blocks.insert(loop.head->getIterator(), block);
  for (BlockArgument argument : loop.head->getArguments())
    groups->addArgument(argument.getType(), argument.getLoc());
  SmallVector<Value> carried(groups->getArguments());
  Value first = carried[loop.index.getArgNumber()];
  // What is read.
  SmallVector<SmallVector<Value>> values(arrays.size());
  SmallVector<Value> begin(start.getDestOperands()), entry = begin;
  b.setInsertionPoint(start);
  for (auto [staging, tile, group] : llvm::zip(arrays, tiles, values)) {
    if (!staging.isRead)
      continue;
    llvm::append_range(
        entry, loadGroup(staging, tile, begin[loop.index.getArgNumber()]));
    for (int64_t k = 0; k < together; ++k)
      group.push_back(
          groups->addArgument(elementOf(tile), staging.array.getLoc()));
  }
  cf::BranchOp::create(b, groups, entry);
  start.erase();
  b.setInsertionPointToEnd(groups);
  // More would not fit into the instruction cache.
  constexpr unsigned longGroup = 384;
  const int64_t size =
      2 * together * operations() <= longGroup ? 2 * together : together;
  Value after = fold<arith::AddIOp>(first, constant(size));
  cf::CondBranchOp::create(b, compare(Predicate::sle, after, limit), body,
                           ValueRange(), loop.head, carried);
  b.setInsertionPointToEnd(body);
  Value afterNext = fold<arith::AddIOp>(after, constant(size));
  Value ahead = select(compare(Predicate::sle, afterNext, limit), after, first);
  SmallVector<Value> next = carried;
  for (int64_t k = 0; k < size; k += together) {
    const bool isLast = k + together == size;
    Value place =
        isLast ? ahead : fold<arith::AddIOp>(first, constant(k + together));
    SmallVector<SmallVector<Value>> loaded(arrays.size());
    for (auto [staging, tile, group] : llvm::zip(arrays, tiles, loaded))
      if (staging.isRead)
        group = loadGroup(staging, tile, place);
    for (int64_t i = 0; i < together; ++i)
      next = copyIteration(next, i, values);
    for (auto [staging, tile, group] : llvm::zip(arrays, tiles, values))
      if (staging.isWritten)
        storeGroup(staging, tile, fold<arith::AddIOp>(first, constant(k)),
                   group);
    values = std::move(loaded);
  }
  for (const SmallVector<Value> &group : values)
    llvm::append_range(next, group);
  auto latch = cf::BranchOp::create(b, groups, next);
  // Inner loops that are unrolled too have no tests in between.
  unsigned most = kernel->hasAttr(unrolledAttribute) ? 512 : 256;
  constexpr int64_t overlapped = 32;
  unroll(latch, unsigned(overlapped / size), unsigned(size) * operations(),
         most);
}

/// Lets single iterations use their tiles.
void LoopStager::useTiles() {
  for (auto [staging, tile] : llvm::zip(arrays, tiles))
    for (Operation *op : staging.uses) {
      b.setInsertionPoint(op);
      Value place = placeOf(staging, loop.index);
      if (auto store = dyn_cast<StoreOp>(op)) {
        store.getArrayMutable().set(tile);
        store.getIndicesMutable().assign(place);
      } else {
        auto load = cast<LoadOp>(op);
        load.getArrayMutable().set(tile);
        load.getIndicesMutable().assign(place);
      }
    }
}

void LoopStager::run() {
  makeStrips();
  // Copies of a long body would not fit into the instruction cache.
  constexpr unsigned longBody = 128;
  if (operations() <= longBody)
    makeGroups();
  useTiles();
}

void kern::ir::loop::stageLoops(KernelOp kernel, StagePlan &plan) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  SmallVector<Value> tiles;
  for (const Staging &staging : plan.arrays) {
    if (staging.placeOf) {
      tiles.push_back(tiles[*staging.placeOf]);
      continue;
    }
    tiles.push_back(makeTile(b, kernel, staging, /*isChunked=*/true));
    if (kernel->hasAttr(spreadAttribute))
      tiles.back().getDefiningOp()->setAttr(spreadAttribute, b.getUnitAttr());
  }
  size_t first = 0;
  for (auto [k, loop] : llvm::enumerate(plan.loops)) {
    size_t count = 0;
    while (first + count < plan.arrays.size() &&
           plan.arrays[first + count].loop == k)
      ++count;
    if (count)
      LoopStager(kernel, plan, loop, ArrayRef(plan.arrays).slice(first, count),
                 ArrayRef(tiles).slice(first, count))
          .run();
    first += count;
  }
}

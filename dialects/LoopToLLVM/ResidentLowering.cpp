//===- ResidentLowering.cpp - loops over rows in registers ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane l takes chunks l, l + group, … of the range, and element l of what is
// left behind the last whole chunk: the same iterations as loop.reduce without
// resident rows gives it, in the same order.
//
// A lane computes all its chunks, those beyond the range too: they stand for
// the range's last chunk, and their values are neither summed nor stored. So
// there are no branches between loads, and what two loops compute alike of an
// element is computed once.
//
// If a kernel fetches ahead, a lane has its chunks from shared memory, where it
// has fetched them itself while it worked on the loop element before. When it
// has used the values once, those of the next loop element are fetched.
//
// Every access to a chunk is wide. Beside another one for single elements, LLVM
// would join the two into the latter.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Carried.h"
#include "dialects/LoopToLLVM/Chunk.h"
#include "dialects/LoopToLLVM/Computed.h"
#include "dialects/LoopToLLVM/Contractions.h"
#include "dialects/LoopToLLVM/LaneChunks.h"
#include "dialects/LoopToLLVM/LoopSkeleton.h"
#include "dialects/LoopToLLVM/ResidentRows.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

/// What the loops have in common.
struct Shared {
  KernelOp kernel;
  /// By row, chunk and element.
  SmallVector<SmallVector<SmallVector<Value>>> values;
  SmallVector<Value> tailValues; ///< by row; any value without a tail
  /// By chunk and element.
  SmallVector<SmallVector<Computed>> computed;
};

/// Lowers one of the loops.
class ResidentLoop : LoopSkeleton {
public:
  ResidentLoop(const ResidentRows &rows, const ResidentRows::Loop &loop,
               Shared &shared)
      : LoopSkeleton(loop.op, {.isShared = true}), rows(rows), described(loop),
        shared(shared), mine(laneChunks(b, shared.kernel, rows)) {}

  /// Lowers the loop, the first one with reading the rows.
  void lower() {
    const bool isFirst = shared.values.empty();
    if (isFirst)
      readRows();
    else
      fetchNext();
    // The first loop fetches into the memory that it has used up.
    if (auto reduce = dyn_cast<ReduceOp>(loop))
      lowerReduce(reduce, /*fetchesNext=*/isFirst);
    else
      lowerParallel(/*fetchesNext=*/isFirst);
    loop->erase();
  }

private:
  using Chunk = SmallVector<Value>;
  /// An array's elements along one dimension.
  struct Line {
    Value array;
    SmallVector<Value> indices; ///< the one at `dimension` is not used
    unsigned dimension;
  };

  void readRows();
  /// Fetches what this loop does of the next loop element.
  void fetchNext();
  /// Where the rows have an iteration that is counted from the beginning of the
  /// range.
  Value inRows(Value first) { return fold<arith::AddIOp>(rows.lower, first); }
  Value loadOne(const Line &line, Value place) {
    return LoadOp::create(b, line.array,
                          chunkIndices(b, line.indices, line.dimension, place));
  }
  /// The elements of a line from `place` on.
  Chunk loadChunk(const Line &line, Value place);
  /// Runs `then` under a condition. Returns its values, or else `otherwise`.
  SmallVector<Value> runIf(Value condition, ValueRange otherwise,
                           function_ref<SmallVector<Value>()> then);
  void storeChunk(const Line &line, Value place, const Chunk &values);

  /// Computes the iterations of a chunk but for its stores.
  SmallVector<IRMapping> computeChunk(unsigned number);
  void computeElement(Block &body, IRMapping &map, Computed &computed);
  /// Computes the iteration of the tail.
  IRMapping computeTail(bool withStores);
  SmallVector<Value> yielded(const IRMapping &map) {
    SmallVector<Value> values;
    for (Value value :
         loop->getRegion(0).front().getTerminator()->getOperands())
      values.push_back(map.lookupOrDefault(value));
    return values;
  }
  void lowerReduce(ReduceOp op, bool fetchesNext);
  void lowerParallel(bool fetchesNext);

  const ResidentRows &rows;
  const ResidentRows::Loop &described;
  Shared &shared;
  LaneChunks mine;
};

} // namespace

SmallVector<Value>
ResidentLoop::runIf(Value condition, ValueRange otherwise,
                    function_ref<SmallVector<Value>()> then) {
  Block *inside = newBlock(0), *join = newBlock(0);
  for (Value value : otherwise)
    join->addArgument(value.getType(), loop->getLoc());
  cf::CondBranchOp::create(b, condition, inside, ValueRange(), join, otherwise);
  b.setInsertionPointToEnd(inside);
  cf::BranchOp::create(b, join, then());
  b.setInsertionPointToEnd(join);
  return SmallVector<Value>(join->getArguments());
}

auto ResidentLoop::loadChunk(const Line &line, Value place) -> Chunk {
  Type element = cast<ArrayType>(line.array.getType()).getElementType();
  auto load = LoadChunkOp::create(
      b, SmallVector<Type>(rows.chunk, element), line.array,
      chunkIndices(b, line.indices, line.dimension, place), line.dimension);
  return Chunk(load.getElements());
}

void ResidentLoop::storeChunk(const Line &line, Value place,
                              const Chunk &values) {
  StoreChunkOp::create(b, values, line.array,
                       chunkIndices(b, line.indices, line.dimension, place),
                       line.dimension);
}

void ResidentLoop::readRows() {
  shared.computed.assign(rows.chunks, SmallVector<Computed>(rows.chunk));
  const bool isFetched = shared.kernel.getAhead();
  if (isFetched) {
    Value before = shared.kernel.sliceArguments()[0];
    runIf(compare(Predicate::eq, before, constant(0)), {}, [&] {
      fetchRows(b, shared.kernel, rows, /*isNext=*/false, {0, rows.chunks});
      return SmallVector<Value>();
    });
    AwaitOp::create(b);
  }
  // A lane without a tail reads the first element.
  Value tail = select(mine.hasTail, inRows(mine.tailFirst), rows.lower);
  for (auto [r, row] : llvm::enumerate(rows.rows)) {
    Line line = {row.array, row.indices, row.dimension};
    Line fetched =
        isFetched ? Line{FetchedRow(b, rows, r).array, {constant(0)}, 0} : line;
    auto &read = shared.values.emplace_back();
    for (auto [e, chunk] : llvm::enumerate(mine.chunks))
      read.push_back(
          loadChunk(fetched, isFetched ? placeInFetched(b, rows, mine.lane, e)
                                       : chunk.place));
    shared.tailValues.push_back(loadOne(line, tail));
  }
}

void ResidentLoop::fetchNext() {
  ChunkRange range = fetchedBy(rows, size_t(&described - rows.loops.data()));
  if (shared.kernel.getAhead() && range.begin < range.end)
    fetchRows(b, shared.kernel, rows, /*isNext=*/true, range);
}

SmallVector<IRMapping> ResidentLoop::computeChunk(unsigned number) {
  Value place = mine.chunks[number].place;
  SmallVector<IRMapping> maps(rows.chunk);
  for (auto [load, row] : llvm::zip(described.loads, described.rows)) {
    LoadOp op = load.op;
    Line line = {op.getArray(), op.getIndices(), load.dimension};
    Chunk chunk = row ? shared.values[*row][number] : loadChunk(line, place);
    for (auto [map, value] : llvm::zip(maps, chunk))
      map.map(op.getResult(), value);
  }
  Block &body = loop->getRegion(0).front();
  for (auto [i, map] : llvm::enumerate(maps)) {
    map.map(body.getArgument(0),
            fold<arith::AddIOp>(place, constant(int64_t(i))));
    computeElement(body, map, shared.computed[number][i]);
  }
  return maps;
}

/// Values of an earlier loop stay in registers if new operations here need
/// them. Products that join sums are computed anew, as in kernels that keep
/// nothing.
void ResidentLoop::computeElement(Block &body, IRMapping &map,
                                  Computed &computed) {
  IRMapping known = map;
  llvm::SmallDenseMap<Operation *, Operation *> same;
  for (Operation &inner : body.without_terminator()) {
    if (isa<LoadOp, StoreOp>(inner) || inner.getNumResults() != 1)
      continue;
    if (Operation *earlier = computed.find(inner, known)) {
      same[&inner] = earlier;
      known.map(inner.getResult(0), earlier->getResult(0));
    }
  }
  auto isNeeded = [&](Operation &inner) {
    return llvm::any_of(inner.getUsers(),
                        [&](Operation *user) { return !same.contains(user); });
  };
  for (Operation &inner : llvm::reverse(body.without_terminator()))
    if (mayJoinSum(&inner) && isNeeded(inner))
      same.erase(&inner);
  SmallVector<Operation *> made;
  for (Operation &inner : body.without_terminator()) {
    if (isa<LoadOp, StoreOp>(inner))
      continue;
    auto at = same.find(&inner);
    if (at == same.end())
      made.push_back(b.clone(inner, map));
    else if (isNeeded(inner))
      map.map(inner.getResult(0), computed.keep(at->second));
  }
  for (Operation *op : made)
    if (op->getNumResults() == 1)
      computed.add(op);
}

IRMapping ResidentLoop::computeTail(bool withStores) {
  IRMapping map;
  Block &body = loop->getRegion(0).front();
  map.map(body.getArgument(0), inRows(mine.tailFirst));
  for (auto [load, row] : llvm::zip(described.loads, described.rows)) {
    LoadOp op = load.op;
    if (row)
      map.map(op.getResult(), shared.tailValues[*row]);
  }
  for (Operation &inner : body.without_terminator()) {
    bool isRow = inner.getNumResults() == 1 && map.contains(inner.getResult(0));
    if (!isRow && (withStores || !isa<StoreOp>(inner)))
      b.clone(inner, map);
  }
  return map;
}

void ResidentLoop::lowerReduce(ReduceOp op, bool fetchesNext) {
  Value none = constant(INT64_MAX);
  Value begin = select(mine.chunks[0].isReal, mine.chunks[0].first,
                       select(mine.hasTail, mine.tailFirst, none));
  Carried sum = Carried::initial(b, op, begin);
  for (auto [e, chunk] : llvm::enumerate(mine.chunks)) {
    SmallVector<IRMapping> maps = computeChunk(unsigned(e));
    Carried next = sum;
    for (auto [i, map] : llvm::enumerate(maps))
      next = accumulate(b, op.getKind(), next, yielded(map),
                        fold<arith::AddIOp>(chunk.first, constant(int64_t(i))));
    SmallVector<Value> chosen;
    for (auto [after, before] : llvm::zip(next.list(), sum.list()))
      chosen.push_back(select(chunk.isReal, after, before));
    sum = Carried::from(op, chosen);
  }
  SmallVector<Value> all = runIf(mine.hasTail, sum.list(), [&] {
    IRMapping map = computeTail(/*withStores=*/false);
    return accumulate(b, op.getKind(), sum, yielded(map), mine.tailFirst)
        .list();
  });
  if (fetchesNext)
    fetchNext();
  cf::BranchOp::create(b, after);
  b.setInsertionPoint(op);
  replaceReduction(b, op, Carried::from(op, all), /*isShared=*/true);
}

void ResidentLoop::lowerParallel(bool fetchesNext) {
  Block &body = loop->getRegion(0).front();
  for (auto [e, chunk] : llvm::enumerate(mine.chunks)) {
    SmallVector<IRMapping> maps = computeChunk(unsigned(e));
    runIf(chunk.isReal, {}, [&] {
      for (auto store : body.getOps<StoreOp>()) {
        auto dimension = consecutiveDimension(store.getIndices(), loop);
        Chunk values;
        for (IRMapping &map : maps)
          values.push_back(map.lookupOrDefault(store.getValue()));
        if (dimension)
          storeChunk({store.getArray(), store.getIndices(), *dimension},
                     inRows(chunk.first), values);
        else
          for (IRMapping &map : maps)
            b.clone(*store, map);
      }
      return SmallVector<Value>();
    });
  }
  runIf(mine.hasTail, {}, [&] {
    computeTail(/*withStores=*/true);
    return SmallVector<Value>();
  });
  if (fetchesNext)
    fetchNext();
  cf::BranchOp::create(b, after);
}

void kern::ir::loop::lowerResident(KernelOp kernel, const ResidentRows &rows) {
  rows.hoistConstants(kernel);
  Shared shared = {kernel, {}, {}, {}};
  for (const ResidentRows::Loop &loop : rows.loops)
    ResidentLoop(rows, loop, shared).lower();
}

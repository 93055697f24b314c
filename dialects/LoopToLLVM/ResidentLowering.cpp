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
// has used the values once, it fetches those of the next loop element.
//
// Every access to a chunk is wide. Beside another one for single elements, LLVM
// would join the two into the latter.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Carried.h"
#include "dialects/LoopToLLVM/Chunk.h"
#include "dialects/LoopToLLVM/Computed.h"
#include "dialects/LoopToLLVM/Contractions.h"
#include "dialects/LoopToLLVM/LoopSkeleton.h"
#include "dialects/LoopToLLVM/ResidentRows.h"
#include "runtime/artefact/Nest.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

/// One chunk of a lane.
struct LaneChunk {
  Value first;  ///< its first iteration, counted from the range's beginning
  Value isReal; ///< it lies in the range
  Value place;  ///< its place in the rows, or that of the last chunk
};

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
        shared(shared) {
    findChunks();
  }

  /// Lowers the loop, the first one with reading the rows.
  void lower() {
    const bool isFirst = shared.values.empty();
    if (isFirst)
      readRows();
    const bool fetchesNext = isFirst && shared.kernel.getAhead();
    if (auto reduce = dyn_cast<ReduceOp>(loop))
      lowerReduce(reduce, fetchesNext);
    else
      lowerParallel(fetchesNext);
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

  void findChunks();
  void readRows();
  /// Where a row's chunks are in shared memory.
  Line inShared(size_t row);
  Value firstInShared(size_t chunk);
  /// Fetches the rows of this loop element or, with `isNext`, of the next one.
  void fetchRows(bool isNext);
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
  SmallVector<LaneChunk> chunks;
  Value laneInBlock, tailFirst, hasTail;
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

/// In 32 bits, to save registers: rows that fit into registers are short. Each
/// loop recomputes its chunks, so that only the rows take registers between
/// loops.
void ResidentLoop::findChunks() {
  auto narrow = [&](Value value) -> Value {
    return b.createOrFold<arith::TruncIOp>(b.getI32Type(), value);
  };
  auto widen = [&](Value value) -> Value {
    return b.createOrFold<arith::ExtUIOp>(b.getI64Type(), value);
  };
  auto number = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  chunks.clear();
  Value lane = KeepOp::create(b, narrow(LaneOp::create(b, b.getI64Type())));
  laneInBlock = widen(lane);
  Value group = narrow(GroupSizeOp::create(b, b.getI64Type()));
  Value trips = narrow(fold<arith::SubIOp>(rows.upper, rows.lower));
  Value size = number(int32_t(rows.chunk));
  Value left = fold<arith::AndIOp>(trips, number(int32_t(rows.chunk) - 1));
  Value whole = fold<arith::SubIOp>(trips, left);
  Value last = fold<arith::SubIOp>(whole, size);
  // A launch that combines what slices have left has none of a row's chunks.
  if (auto kernel = loop->getParentOfType<KernelOp>();
      kernel.getLaunches() && !kernel.getCooperative())
    last = fold<arith::MaxSIOp>(last, number(0));
  Value first = fold<arith::MulIOp>(lane, size);
  Value stride = fold<arith::MulIOp>(group, size);
  for (unsigned e = 0; e < rows.chunks; ++e) {
    Value isReal = compare(Predicate::ult, first, whole);
    Value known = fold<arith::MinUIOp>(first, last);
    chunks.push_back({widen(first), isReal, inRows(widen(known))});
    first = fold<arith::AddIOp>(first, stride);
  }
  hasTail = compare(Predicate::ult, lane, left);
  tailFirst = widen(fold<arith::AddIOp>(whole, lane));
}

auto ResidentLoop::inShared(size_t row) -> Line {
  auto type = cast<ArrayType>(rows.rows[row].array.getType());
  auto place = SharedOp::create(
      b, ArrayType::get(b.getContext(), type.getElementType(), 1),
      b.getI64IntegerAttr(int64_t(row * rows.chunks * chunkBytes *
                                  kern::runtime::cooperatingLanes)));
  return {place, {constant(0)}, 0};
}

Value ResidentLoop::firstInShared(size_t chunk) {
  Value first = fold<arith::MulIOp>(laneInBlock, constant(rows.chunk));
  return fold<arith::AddIOp>(
      first,
      constant(int64_t(chunk * rows.chunk * kern::runtime::cooperatingLanes)));
}

void ResidentLoop::fetchRows(bool isNext) {
  if (isNext)
    findChunks();
  for (auto [r, row] : llvm::enumerate(rows.rows)) {
    Value ahead = isNext ? shared.kernel.aheadOf(cast<BlockArgument>(row.array))
                         : constant(0);
    for (auto [d, index] : llvm::enumerate(row.indices))
      if (d != row.dimension)
        ahead = fold<arith::AddIOp>(
            ahead, fold<arith::MulIOp>(
                       index, StrideOp::create(b, row.array, int64_t(d))));
    Line target = inShared(r);
    Type element = cast<ArrayType>(row.array.getType()).getElementType();
    for (auto [e, chunk] : llvm::enumerate(chunks)) {
      Value bytes = fold<arith::AddIOp>(
          ahead,
          fold<arith::MulIOp>(chunk.place, constant(storedSize(element))));
      auto fetch = FetchOp::create(b, row.array, bytes, target.array,
                                   firstInShared(e), chunk.isReal);
      fetch->setAttr(fetchedElements, b.getI64IntegerAttr(rows.chunk));
    }
  }
}

void ResidentLoop::readRows() {
  shared.computed.assign(rows.chunks, SmallVector<Computed>(rows.chunk));
  const bool isFetched = shared.kernel.getAhead();
  if (isFetched) {
    Value before = shared.kernel.sliceArguments()[0];
    runIf(compare(Predicate::eq, before, constant(0)), {}, [&] {
      fetchRows(/*isNext=*/false);
      return SmallVector<Value>();
    });
    AwaitOp::create(b);
  }
  // A lane without a tail reads the first element.
  Value tail = select(hasTail, inRows(tailFirst), rows.lower);
  for (auto [r, row] : llvm::enumerate(rows.rows)) {
    Line line = {row.array, row.indices, row.dimension};
    Line fetched = isFetched ? inShared(r) : line;
    auto &read = shared.values.emplace_back();
    for (auto [e, chunk] : llvm::enumerate(chunks))
      read.push_back(
          loadChunk(fetched, isFetched ? firstInShared(e) : chunk.place));
    shared.tailValues.push_back(loadOne(line, tail));
  }
}

SmallVector<IRMapping> ResidentLoop::computeChunk(unsigned number) {
  Value place = chunks[number].place;
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
  map.map(body.getArgument(0), inRows(tailFirst));
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
  Value begin = select(chunks[0].isReal, chunks[0].first,
                       select(hasTail, tailFirst, none));
  Carried sum = Carried::initial(b, op, begin);
  for (auto [e, chunk] : llvm::enumerate(chunks)) {
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
  SmallVector<Value> all = runIf(hasTail, sum.list(), [&] {
    IRMapping map = computeTail(/*withStores=*/false);
    return accumulate(b, op.getKind(), sum, yielded(map), tailFirst).list();
  });
  if (fetchesNext)
    fetchRows(/*isNext=*/true);
  cf::BranchOp::create(b, after);
  b.setInsertionPoint(op);
  replaceReduction(b, op, Carried::from(op, all), /*isShared=*/true);
}

void ResidentLoop::lowerParallel(bool fetchesNext) {
  Block &body = loop->getRegion(0).front();
  for (auto [e, chunk] : llvm::enumerate(chunks)) {
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
  runIf(hasTail, {}, [&] {
    computeTail(/*withStores=*/true);
    return SmallVector<Value>();
  });
  if (fetchesNext)
    fetchRows(/*isNext=*/true);
  cf::BranchOp::create(b, after);
}

void kern::ir::loop::lowerResident(KernelOp kernel, const ResidentRows &rows) {
  rows.hoistConstants(kernel);
  Shared shared = {kernel, {}, {}, {}};
  for (const ResidentRows::Loop &loop : rows.loops)
    ResidentLoop(rows, loop, shared).lower();
}

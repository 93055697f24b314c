//===- ReduceLowering.cpp - reductions as control flow --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/LoopSkeleton.h"

#include "dialects/LoopToLLVM/BestBlock.h"
#include "dialects/LoopToLLVM/Carried.h"
#include "dialects/LoopToLLVM/ChunkedLoads.h"
#include "dialects/LoopToLLVM/FirstBest.h"
#include "dialects/LoopToLLVM/LoopLowering.h"
#include "dialects/LoopToLLVM/TruthBlocks.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Allows partial sums and products to be combined in any order.
static void allowGrouping(Value sum) {
  auto allow = [](auto op) {
    op.setFastmath(op.getFastmath() | arith::FastMathFlags::reassoc);
  };
  if (auto addition = sum.getDefiningOp<arith::AddFOp>())
    allow(addition);
  else if (auto product = sum.getDefiningOp<arith::MulFOp>())
    allow(product);
}

static constexpr int64_t warpLanes = 32;

/// Those of the loads that neighbouring lanes across loop elements have in
/// common: their places do not follow the last flat index.
static SmallVector<ChunkedLoads::Load>
commonLoads(ReduceOp op, ArrayRef<ChunkedLoads::Load> loads) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (kernel.flatIndices().empty())
    return {};
  Value neighbour = kernel.flatIndices().back();
  auto isCommon = [&](Value index) {
    Operation *maker = index.getDefiningOp();
    return maker ? maker->hasTrait<OpTrait::ConstantLike>()
                 : index != neighbour;
  };
  SmallVector<ChunkedLoads::Load> common;
  for (ChunkedLoads::Load load : loads)
    if (llvm::all_of(load.op.getIndices(), isCommon))
      common.push_back(load);
  return common;
}

namespace {

class ReduceLowering : LoopSkeleton {
public:
  using LoopSkeleton::LoopSkeleton;
  void reduce(ReduceOp op);

private:
  Value firstPlace(Value lane, Value trips,
                   const std::optional<ChunkedLoads> &chunks);
  /// How reduceSeveral() groups iterations.
  struct Several {
    unsigned count = 1; ///< iterations, or chunks of them
    Value stride;       ///< from one to the next
    const ChunkedLoads *chunks = nullptr;
    /// Those of which one access reads a chunk; of others, one reads an
    /// element.
    ArrayRef<ChunkedLoads::Load> wide = {};
  };
  /// Emits a loop that runs several iterations at once while the last of them
  /// is before `end`, and then branches to `rest`. Returns its header, which
  /// has the arguments of `rest`.
  Block *reduceSeveral(ReduceOp op, Several several, Value end, Block *rest);
  /// Clones the body for one iteration at `place`, or for a chunk of them.
  /// Returns what each iteration yields.
  SmallVector<SmallVector<Value>> cloneBodies(ReduceOp op, Value place,
                                              const Several &several);
  /// The loops over the lanes whose iterations one row of a block takes, if
  /// lanes go across. Lanes that differ by multiples of a warp come first, in
  /// order, and then those that differ by multiples of the block's height: a
  /// group does the same. So the height has to be at least half a warp's lanes.
  struct LaneLoops {
    Block *groups;  ///< header: the first lane's number, and all sums
    Block *numbers; ///< header: a lane's number, and the sums of its like
    Block *done;    ///< behind the inner loop
  };
  /// Begins the loops, up to the iterations of a lane.
  LaneLoops openLanes(ReduceOp op, ValueRange initial, Value count);
  /// Ends them with a lane's sums. Returns those of all lanes.
  Carried closeLanes(ReduceOp op, const LaneLoops &loops, const Carried &mine);
  /// Emits the loops over chunks, with wide loads where possible. The rest of
  /// the range follows at `plain`.
  void reduceChunks(ReduceOp op, const ChunkedLoads &chunks, Value trips,
                    ValueRange initial, Value group, Block *plain);
};

} // namespace

SmallVector<SmallVector<Value>>
ReduceLowering::cloneBodies(ReduceOp op, Value place, const Several &several) {
  unsigned size = several.chunks ? several.chunks->size : 1;
  // LLVM would carry a pointer through the loop for each element of a chunk, or
  // for each of many chunks.
  if (size > 1 && (style.goesAcross || several.count > 2))
    place = KeepOp::create(b, place);
  llvm::SmallDenseMap<Operation *, LoadChunkOp> loaded;
  auto induction = [&](unsigned i) {
    return inductionValue(op.getLower(), op.getStep(),
                          i ? fold<arith::AddIOp>(place, constant(i)) : place);
  };
  for (ChunkedLoads::Load load : several.wide)
    loaded[load.op] = LoadChunkOp::create(
        b, SmallVector<Type>(size, load.op.getType()), load.op.getArray(),
        chunkIndices(b, load.op.getIndices(), load.dimension, induction(0)),
        load.dimension);
  SmallVector<SmallVector<Value>> yielded;
  for (unsigned i = 0; i < size; ++i) {
    IRMapping map;
    map.map(op.inductionVar(), induction(i));
    for (Operation &inner : op.entry().without_terminator()) {
      if (auto chunk = loaded.find(&inner); chunk != loaded.end())
        map.map(inner.getResult(0), chunk->second.getElements()[i]);
      else
        b.clone(inner, map);
    }
    yielded.emplace_back();
    for (Value value : op.entry().getTerminator()->getOperands())
      yielded.back().push_back(map.lookupOrDefault(value));
  }
  return yielded;
}

/// The bodies come first, and the sums follow in the order of the iterations.
/// The result is that of the plain loop, but no load waits for a sum.
Block *ReduceLowering::reduceSeveral(ReduceOp op, Several several, Value end,
                                     Block *rest) {
  Block *header = newBlock(0), *body = newBlock(0);
  for (Type type : rest->getArgumentTypes())
    header->addArgument(type, op.getLoc());
  header->moveBefore(rest);
  body->moveBefore(rest);
  Value k = header->getArgument(0);
  Carried sum = Carried::from(op, header->getArguments().drop_front());

  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(header);
  Value last = k;
  SmallVector<Value> places;
  for (unsigned i = 0; i < several.count; ++i) {
    places.push_back(last);
    last = fold<arith::AddIOp>(last, several.stride);
  }
  cf::CondBranchOp::create(b, compare(Predicate::slt, places.back(), end), body,
                           ValueRange(), rest, header->getArguments());
  b.setInsertionPointToEnd(body);
  SmallVector<SmallVector<SmallVector<Value>>> yielded;
  for (Value place : places)
    yielded.push_back(cloneBodies(op, place, several));
  if (findsFirstBest(op, style) && several.chunks && several.count > 1) {
    SmallVector<Value> values;
    for (auto &iterations : yielded)
      for (auto &value : iterations)
        values.push_back(value.front());
    sum.sum = firstBest(b, op.getKind(), sum.sum, values,
                        {k, several.stride, several.chunks->size}, [&] {
                          Block *block = newBlock(0);
                          block->moveBefore(rest);
                          return block;
                        });
  } else {
    for (auto [iterations, place] : llvm::zip(yielded, places))
      for (auto [i, values] : llvm::enumerate(iterations)) {
        bool isLater = i > 0 && sum.sum.index; // else the place is not used
        sum = accumulate(b, op.getKind(), sum, values,
                         isLater ? fold<arith::AddIOp>(place, constant(i))
                                 : place);
      }
  }
  SmallVector<Value> next = {last};
  next.append(sum.list());
  cf::BranchOp::create(b, header, next);
  return header;
}

/// Lane l takes chunks l, l + group, …, and the rest of the range follows
/// element by element. A lane takes the same iterations however the elements
/// lie in memory, so that the result does not depend on the strides.
void ReduceLowering::reduceChunks(ReduceOp op, const ChunkedLoads &chunks,
                                  Value trips, ValueRange initial, Value group,
                                  Block *plain) {
  Value lane = initial.front(), size = constant(chunks.size);
  Value left = fold<arith::AndIOp>(trips, constant(chunks.size - 1));
  Value whole = fold<arith::SubIOp>(trips, left);
  // Of lanes across loop elements, each reads elements one by one: those of a
  // chunk are apart, but for what neighbours have in common.
  SmallVector<ChunkedLoads::Load> wide =
      style.goesAcross ? commonLoads(op, chunks.loads) : chunks.loads;
  Value isChunked;
  for (ChunkedLoads::Load load : wide) {
    Value holds = HasChunksOp::create(
        b, b.getI1Type(), load.op.getArray(),
        chunkIndices(b, load.op.getIndices(), load.dimension, op.getLower()),
        load.dimension, chunks.size);
    isChunked = isChunked ? fold<arith::AndIOp>(isChunked, holds) : holds;
  }
  Value stride = fold<arith::MulIOp>(group, size);
  SmallVector<Value> start(initial);
  start[0] = fold<arith::MulIOp>(lane, size);
  Value tail = fold<arith::AddIOp>(whole, lane);

  Block *done = newBlock(0);
  for (Type type : plain->getArgumentTypes())
    done->addArgument(type, op.getLoc());
  done->moveBefore(plain);
  // So many chunks at once.
  auto loopOver = [&](unsigned count, bool isWide, Block *rest) {
    ArrayRef<ChunkedLoads::Load> asChunks;
    if (isWide)
      asChunks = wide;
    return reduceSeveral(op, {count, stride, &chunks, asChunks}, whole, rest);
  };
  if (!style.goesAcross) {
    Block *single = loopOver(1, /*isWide=*/true, done);
    Block *several = loopOver(2, /*isWide=*/true, single);
    // The lanes of slices have registers for the values.
    if (findsFirstBest(op, style) &&
        op->getParentOfType<KernelOp>().getLaunches())
      several = loopOver(4, /*isWide=*/true, several);
    Block *each = loopOver(1, /*isWide=*/false, done);
    cf::CondBranchOp::create(b, isChunked, several, start, each, start);
  } else {
    Block *each = loopOver(1, /*isWide=*/false, done);
    Block *four = loopOver(4, /*isWide=*/false, each);
    if (isChunked)
      cf::CondBranchOp::create(b, isChunked, loopOver(4, /*isWide=*/true, each),
                               start, four, start);
    else
      cf::BranchOp::create(b, four, start);
  }
  b.setInsertionPointToEnd(done);
  SmallVector<Value> rest(done->getArguments());
  rest[0] = tail;
  cf::BranchOp::create(b, plain, rest);
}

auto ReduceLowering::openLanes(ReduceOp op, ValueRange initial, Value count)
    -> LaneLoops {
  LaneLoops loops = {newBlock(0), newBlock(0), newBlock(0)};
  for (Block *header : {loops.groups, loops.numbers})
    for (Value value : initial)
      header->addArgument(value.getType(), op.getLoc());
  Block *group = newBlock(0), *lane = newBlock(0);
  cf::BranchOp::create(b, loops.groups, initial);
  b.setInsertionPointToEnd(loops.groups);
  Value first = loops.groups->getArgument(0);
  Value end = arith::MinSIOp::create(b, count, constant(warpLanes));
  cf::CondBranchOp::create(b, compare(Predicate::slt, first, end), group,
                           after);
  b.setInsertionPointToEnd(group);
  SmallVector<Value> start(initial);
  start[0] = first;
  cf::BranchOp::create(b, loops.numbers, start);
  b.setInsertionPointToEnd(loops.numbers);
  Value isLane = compare(Predicate::slt, loops.numbers->getArgument(0), count);
  cf::CondBranchOp::create(b, isLane, lane, loops.done);
  b.setInsertionPointToEnd(lane);
  return loops;
}

Carried ReduceLowering::closeLanes(ReduceOp op, const LaneLoops &loops,
                                   const Carried &mine) {
  auto join = [&](Block *header, Value step, const Carried &later) {
    auto earlier = Carried::from(op, header->getArguments().drop_front());
    Carried sum{combine(b, op.getKind(), earlier.sum, later.sum), Value()};
    if (earlier.kept)
      sum.kept = fold<arith::AddIOp>(earlier.kept, later.kept);
    SmallVector<Value> next = {
        fold<arith::AddIOp>(header->getArgument(0), step)};
    next.append(sum.list());
    cf::BranchOp::create(b, header, next);
    return earlier;
  };
  join(loops.numbers, constant(warpLanes), mine);
  b.setInsertionPointToEnd(loops.done);
  auto ofWarps = Carried::from(op, loops.numbers->getArguments().drop_front());
  return join(loops.groups, GroupSizeOp::create(b, b.getI64Type()), ofWarps);
}

/// The first iteration that a lane takes, INT64_MAX if there is none; null for
/// a reduction that needs no positions.
Value ReduceLowering::firstPlace(Value lane, Value trips,
                                 const std::optional<ChunkedLoads> &chunks) {
  if (!carriesPosition(cast<ReduceOp>(loop).getKind(),
                       cast<ReduceOp>(loop).getValueType()))
    return nullptr;
  auto within = [&](Value place, Value end, Value otherwise) {
    return select(compare(Predicate::slt, place, end), place, otherwise);
  };
  Value none = constant(INT64_MAX);
  if (!chunks)
    return within(lane, trips, none);
  Value left = fold<arith::AndIOp>(trips, constant(chunks->size - 1));
  Value whole = fold<arith::SubIOp>(trips, left);
  Value tail = within(fold<arith::AddIOp>(whole, lane), trips, none);
  return within(fold<arith::MulIOp>(lane, constant(chunks->size)), whole, tail);
}

void ReduceLowering::reduce(ReduceOp op) {
  ReduceKind kind = op.getKind();
  SmallVector<YieldOp> yields = yieldsOf(op.getBody());
  Value trips = tripCount(op.getLower(), op.getUpper(), op.getStep());
  Value start =
      style.isShared ? LaneOp::create(b, b.getI64Type()) : constant(0);
  auto makeBlock = [&](unsigned counters) { return newBlock(counters); };
  Value truth;
  if (goesByBlocks(op, style)) {
    Iterations block = bestBlock(b, op, trips, makeBlock);
    start = block.first;
    trips = block.end;
  } else if (endsEarly(op, style, trips)) {
    TruthSoFar soFar = truthOfBlocks(b, op, trips, makeBlock);
    start = soFar.rest.first;
    trips = soFar.rest.end;
    truth = soFar.value;
  }
  Value stride =
      style.isShared ? GroupSizeOp::create(b, b.getI64Type()) : constant(1);
  auto chunks = style.isShared ? chunkedLoads(op) : std::nullopt;
  auto listFor = [&](Value lane, Value begin) {
    SmallVector<Value> list = {lane};
    list.append(Carried::initial(b, op, begin).list());
    return list;
  };
  SmallVector<Value> operands =
      listFor(start, style.goesAcross ? constant(INT64_MAX)
                                      : firstPlace(start, trips, chunks));
  if (truth)
    operands[1] = truth;
  Block *exit = after;
  std::optional<LaneLoops> lanes;
  if (style.goesAcross) {
    exit = newBlock(0);
    stride = LaneCountOp::create(b, b.getI64Type());
    lanes = openLanes(op, operands, stride);
    Value number = lanes->numbers->getArgument(0);
    operands = listFor(number, firstPlace(number, trips, chunks));
  }

  Block *header = newBlock(0);
  for (Value operand : operands)
    header->addArgument(operand.getType(), op.getLoc());
  Value k = header->getArgument(0);
  Carried carried = Carried::from(op, header->getArguments().drop_front());
  if (chunks) {
    reduceChunks(op, *chunks, trips, operands, stride, header);
  } else {
    Block *first = header;
    if (style.isShared && op.getBody().hasOneBlock())
      first = reduceSeveral(op, {/*count=*/4, stride}, trips, header);
    cf::BranchOp::create(b, first, operands);
  }

  Block *body = inlineBody(op.getBody(), [&]() -> SmallVector<Value> {
    return {inductionValue(op.getLower(), op.getStep(), k)};
  });
  b.setInsertionPointToEnd(header);
  cf::CondBranchOp::create(b, compare(Predicate::slt, k, trips), body, exit);

  for (YieldOp yield : yields) {
    b.setInsertionPoint(yield);
    Carried next = accumulate(b, kind, carried, yield.getValues(), k);
    SmallVector<Value> values = {fold<arith::AddIOp>(k, stride)};
    values.append(next.list());
    auto latch = cf::BranchOp::create(b, header, values);
    if (style.marksVectors && !isArg(kind) && yields.size() == 1) {
      latch->setAttr(vectorLatch, b.getBoolAttr(false));
      allowGrouping(next.sum.value);
    }
    yield.erase();
  }

  if (lanes) {
    b.setInsertionPointToEnd(exit);
    carried = closeLanes(op, *lanes, carried);
  }
  b.setInsertionPoint(op);
  replaceReduction(b, op, carried, style.isShared);
}

void kern::ir::loop::lowerReduce(ReduceOp op, LoopStyle style) {
  ReduceLowering(op, style).reduce(op);
}

//===- Staged.cpp - elements through shared memory ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Staged.h"

#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopMappings/StagePlan.h"

#include "dialects/LoopToLLVM/IndexBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::ir::loop;

/// So many iterations ahead elements come from shared memory into registers.
static constexpr int64_t ahead = 4;

static Type elementOf(Value array) {
  return cast<ArrayType>(array.getType()).getElementType();
}

SmallVector<StagedArray> kern::ir::loop::stagedArrays(KernelOp kernel) {
  SmallVector<StagedArray> list;
  Found<StagePlan> plan = stagePlanOf(kernel);
  if (!plan)
    return list;
  for (const Staging &staging : plan->arrays)
    list.push_back({staging.operand, staging.dimension,
                    pitchOf(staging.array, staging.extents)});
  for (LocalOp local : plan->locals)
    list.push_back(
        {std::nullopt, 0,
         pitchOf(local.getResult(), *extentsOf(kernel, local.getResult()))});
  return list;
}

namespace {

class Stager : IndexBuilder {
public:
  Stager(KernelOp kernel, StagePlan plan)
      : IndexBuilder(kernel.getLoc(), kernel.getContext()), kernel(kernel),
        plan(std::move(plan)) {}
  void run();

private:
  Value makeTile(const Staging &staging);
  void stageWhole();
  void stageLoop();
  void readAhead(const Staging &staging, Value tile, cf::BranchOp start,
                 Value limit);
  /// Moves the iterations from `first` on between memory and a tile.
  template <typename Op>
  void move(const Staging &staging, Value tile, Value first, Value count);

  KernelOp kernel;
  StagePlan plan;
};

} // namespace

Value Stager::makeTile(const Staging &staging) {
  b.setInsertionPointToStart(&kernel.entry());
  SmallVector<Value> extents;
  for (const DimTokens &extent : staging.extents)
    extents.push_back(
        fold<arith::MaxSIOp>(dimValue(b, kernel, extent), constant(0)));
  Type element = elementOf(staging.array);
  DimTokens bytes = pitchOf(staging.array, staging.extents);
  return LocalOp::create(
      b, ArrayType::get(b.getContext(), element, unsigned(extents.size())),
      extents, /*zeroed=*/false,
      b.getStrArrayAttr(llvm::to_vector_of<StringRef>(bytes)),
      /*slot=*/IntegerAttr(), /*per_lane=*/true, /*per_slice=*/false,
      /*shared=*/true);
}

void Stager::stageWhole() {
  SmallVector<Value> tiles;
  for (const Staging &staging : plan.arrays)
    tiles.push_back(makeTile(staging));
  auto ret = *kernel.getBody().getOps<ReturnOp>().begin();
  Operation *last = tiles.front().getDefiningOp(); // the last in the block
  for (bool isFetch : {true, false}) {
    if (isFetch)
      b.setInsertionPointAfter(last);
    else
      b.setInsertionPoint(ret);
    for (auto [staging, tile] : llvm::zip(plan.arrays, tiles)) {
      if (isFetch ? !staging.isRead : !staging.isWritten)
        continue;
      SmallVector<Value> extents(tile.getDefiningOp<LocalOp>().getExtents());
      SmallVector<Value> zeros(extents.size(), constant(0));
      int64_t size = 1;
      for (const DimTokens &extent : staging.extents) {
        int64_t number = 0;
        bool isNumber = extent.size() == 1 &&
                        !StringRef(extent[0]).getAsInteger(10, number);
        size = isNumber ? size * number : 0;
      }
      if (isFetch)
        StageInOp::create(b, staging.array, zeros, extents, tile, constant(0),
                          uint64_t(size));
      else
        StageOutOp::create(b, staging.array, zeros, extents, tile, constant(0),
                           uint64_t(size));
    }
    if (isFetch)
      StageWaitOp::create(b);
  }
  for (auto [staging, tile] : llvm::zip(plan.arrays, tiles))
    for (Operation *op : staging.uses)
      op->replaceUsesOfWith(staging.array, tile);
}

template <typename Op>
void Stager::move(const Staging &staging, Value tile, Value first,
                  Value count) {
  SmallVector<Value> indices =
      plan.loop->indicesAt(b, staging.uses.front(), first);
  SmallVector<Value> extents(indices.size(), constant(1));
  extents[staging.dimension] = count;
  Value at = std::is_same_v<Op, StageInOp>
                 ? fold<arith::AndIOp>(first, constant(2 * strip - 1))
                 : constant(0);
  Op::create(b, staging.array, indices, extents, tile, at, uint64_t(strip));
}

/// Lets several iterations overlap. Their loads do not wait for stores: the
/// elements of different arrays lie apart.
static void unroll(Operation *latch, unsigned operations) {
  constexpr unsigned maxOperations = 256, most = 8;
  unsigned count = most;
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

/// The elements of the next iterations are on the way while those of this strip
/// are used.
void Stager::stageLoop() {
  OrderedLoop &loop = *plan.loop;
  SmallVector<Value> tiles;
  for (const Staging &staging : plan.arrays)
    tiles.push_back(makeTile(staging));
  auto fetchAll = [&](Value first) {
    Value left = fold<arith::SubIOp>(loop.bound, first);
    Value count = fold<arith::MaxSIOp>(
        fold<arith::MinSIOp>(left, constant(strip)), constant(0));
    for (auto [staging, tile] : llvm::zip(plan.arrays, tiles))
      if (staging.isRead)
        move<StageInOp>(staging, tile, first, count);
  };
  auto flushAll = [&](Value first, Value count) {
    for (auto [staging, tile] : llvm::zip(plan.arrays, tiles))
      if (staging.isWritten)
        move<StageOutOp>(staging, tile, first, count);
  };
  // An outer loop over strips.
  auto enter = cast<cf::BranchOp>(loop.preheader->getTerminator());
  Block *outer = new Block, *begin = new Block, *end = new Block;
  for (BlockArgument argument : loop.head->getArguments()) {
    Value mine = outer->addArgument(argument.getType(), argument.getLoc());
    argument.replaceUsesWithIf(mine, [&](OpOperand &use) {
      return !loop.contains(use.getOwner()) &&
             use.getOwner()->getBlock() != loop.head;
    });
  }
  auto &blocks = kernel.getBody().getBlocks();
  for (Block *block : {outer, begin, end})
    blocks.insert(loop.head->getIterator(), block);
  Value i = outer->getArgument(loop.index.getArgNumber()), zero;
  b.setInsertionPoint(enter);
  fetchAll(constant(0));
  cf::BranchOp::create(b, outer, enter.getDestOperands());
  enter.erase();
  b.setInsertionPointToEnd(outer);
  cf::CondBranchOp::create(
      b, b.createOrFold<arith::CmpIOp>(Predicate::slt, i, loop.bound), begin,
      loop.exit);
  b.setInsertionPointToEnd(begin);
  zero = constant(0);
  Value isLater = b.createOrFold<arith::CmpIOp>(Predicate::sgt, i, zero);
  flushAll(fold<arith::SubIOp>(i, constant(strip)),
           b.createOrFold<arith::SelectOp>(isLater, constant(strip), zero));
  StageWaitOp::create(b);
  Value next = fold<arith::AddIOp>(i, constant(strip));
  fetchAll(next);
  Value limit = fold<arith::MinSIOp>(next, loop.bound);
  auto start = cf::BranchOp::create(b, loop.head, outer->getArguments());
  b.setInsertionPointToEnd(end);
  cf::BranchOp::create(b, outer, loop.head->getArguments());
  // The inner one.
  auto test = cast<cf::CondBranchOp>(loop.head->getTerminator());
  b.setInsertionPoint(test);
  cf::CondBranchOp::create(
      b, b.createOrFold<arith::CmpIOp>(Predicate::slt, loop.index, limit),
      loop.body, end);
  test.erase();
  unsigned operations = 0;
  for (Block *block : loop.blocks)
    operations += unsigned(llvm::range_size(*block));
  unroll(loop.latch->getTerminator(), operations);
  // After the last strip.
  b.setInsertionPointToStart(loop.exit);
  Value whole = fold<arith::MaxSIOp>(loop.bound, constant(0));
  Value last = fold<arith::AndIOp>(fold<arith::SubIOp>(whole, constant(1)),
                                   constant(-strip));
  Value isAny =
      b.createOrFold<arith::CmpIOp>(Predicate::sgt, whole, constant(0));
  flushAll(last, b.createOrFold<arith::SelectOp>(
                     isAny, fold<arith::SubIOp>(whole, last), constant(0)));
  // The elements in their tiles.
  for (auto [staging, tile] : llvm::zip(plan.arrays, tiles)) {
    if (staging.isRead) {
      readAhead(staging, tile, start, limit);
      continue;
    }
    for (Operation *op : staging.uses) {
      b.setInsertionPoint(op);
      auto store = cast<StoreOp>(op);
      store.getArrayMutable().set(tile);
      store.getIndicesMutable().assign(
          fold<arith::AndIOp>(loop.index, constant(strip - 1)));
    }
  }
}

/// Keeps the elements of the next iterations in registers. A load would
/// otherwise wait for the stores of the iteration before it.
void Stager::readAhead(const Staging &staging, Value tile, cf::BranchOp start,
                       Value limit) {
  OrderedLoop &loop = *plan.loop;
  Type type = elementOf(staging.array);
  auto load = [&](Value iteration, int64_t later) -> Value {
    Value last = fold<arith::SubIOp>(limit, constant(1));
    Value at = fold<arith::MinSIOp>(
        fold<arith::AddIOp>(iteration, constant(later)), last);
    at = fold<arith::AndIOp>(at, constant(2 * strip - 1));
    return LoadOp::create(b, type, tile, at);
  };
  SmallVector<Value> kept;
  for (int64_t k = 0; k < ahead; ++k) {
    kept.push_back(loop.head->addArgument(type, staging.array.getLoc()));
    b.setInsertionPoint(start);
    start.getDestOperandsMutable().append(
        load(start.getDestOperands()[loop.index.getArgNumber()], k));
  }
  auto again = cast<cf::BranchOp>(loop.latch->getTerminator());
  again.getDestOperandsMutable().append(ArrayRef(kept).drop_front());
  b.setInsertionPointToStart(loop.body);
  again.getDestOperandsMutable().append(load(loop.index, ahead));
  for (Operation *op : staging.uses) {
    op->getResult(0).replaceAllUsesWith(kept.front());
    op->erase();
  }
}

void Stager::run() {
  for (LocalOp local : plan.locals) {
    DimTokens bytes =
        pitchOf(local.getResult(), *extentsOf(kernel, local.getResult()));
    local.setBytesAttr(b.getStrArrayAttr(llvm::to_vector_of<StringRef>(bytes)));
    local.setShared(true);
    local.setPerLane(true);
  }
  if (plan.loop)
    stageLoop();
  else
    stageWhole();
  kernel.setStaged(true);
}

void kern::ir::loop::stage(KernelOp kernel) {
  if (Found<StagePlan> plan = stagePlanOf(kernel))
    Stager(kernel, std::move(*plan)).run();
}

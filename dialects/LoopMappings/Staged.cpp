//===- Staged.cpp - elements through shared memory ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Staged.h"

#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopMappings/StagedLoop.h"

#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/Chunk.h"
#include "dialects/LoopToLLVM/IndexBuilder.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace kern::ir::loop;

static Type elementOf(Value array) {
  return cast<ArrayType>(array.getType()).getElementType();
}

SmallVector<StagedArray> kern::ir::loop::stagedArrays(KernelOp kernel) {
  SmallVector<StagedArray> list;
  OwningOpRef<KernelOp> copy = kernel.clone();
  orderPranges(*copy);
  Found<StagePlan> plan = stagePlanOf(*copy);
  if (!plan)
    return list;
  bool areConstant = llvm::all_of(plan->arrays, [](const Staging &staging) {
    return constantCount(staging.extents).has_value();
  });
  const bool hasLoops = !plan->loops.empty();
  for (const Staging &staging : plan->arrays)
    if (!hasLoops || !staging.placeOf)
      list.push_back(
          {staging.operand, staging.dimension,
           pitchOf(staging.array, staging.extents, plan->hasCopies || hasLoops),
           staging.placeOf && (plan->hasCopies || !areConstant)});
  if (hasLoops) {
    Found<StagePlan> spread = stripPlanOf(*copy, /*isSpread=*/true);
    auto *array = list.begin();
    for (const Staging &staging : spread->arrays)
      if (!staging.placeOf)
        (array++)->spreadBytes =
            unsigned(chunkedPitch(*constantCount(staging.extents) *
                                  storedSize(elementOf(staging.array))));
  }
  for (LocalOp local : plan->locals)
    list.push_back(
        {std::nullopt, 0,
         pitchOf(local.getResult(), *extentsOf(*copy, local.getResult())),
         false});
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
  SmallVector<Value> makeTiles();
  uint64_t copiedBytes();
  Value makeCopy(const Staging &staging, Value tile);
  template <typename Op> void move(const Staging &staging, Value tile);
  template <typename Use>
  void forChunks(const Staging &staging, Value tile, Use use);
  void stageWhole();
  KernelOp kernel;
  StagePlan plan;
};

} // namespace

/// A result that is computed in a copy uses the tile of an input.
SmallVector<Value> Stager::makeTiles() {
  SmallVector<Value> tiles;
  for (const Staging &staging : plan.arrays)
    tiles.push_back(plan.hasCopies && staging.placeOf
                        ? Value()
                        : makeTile(b, kernel, staging, plan.hasCopies));
  for (auto [staging, tile] : llvm::zip(plan.arrays, tiles))
    if (!tile)
      tile = tiles[*staging.placeOf];
  return tiles;
}

/// Calls `use` with the indices and the number of each chunk of a tile.
template <typename Use>
void Stager::forChunks(const Staging &staging, Value tile, Use use) {
  uint64_t count = *constantCount(staging.extents);
  unsigned size = storedSize(elementOf(tile));
  uint64_t step = chunkedAccess(count * size) / size;
  for (uint64_t k = 0; k < count; k += step) {
    SmallVector<SmallVector<Value>> indices;
    for (uint64_t element = k; element < k + step; ++element) {
      SmallVector<Value> &each = indices.emplace_back(staging.extents.size());
      uint64_t rest = element;
      for (size_t d = each.size(); d-- > 0;) {
        uint64_t extent = *constantCount(staging.extents[d]);
        each[d] = constant(int64_t(rest % extent));
        rest /= extent;
      }
    }
    use(indices);
  }
}

/// The bytes of a thread's arrays.
uint64_t Stager::copiedBytes() {
  uint64_t bytes = 0;
  for (const Staging &staging : plan.arrays)
    bytes +=
        *constantCount(staging.extents) * storedSize(elementOf(staging.array));
  return bytes;
}

/// A thread's own copy of what is in its tile.
Value Stager::makeCopy(const Staging &staging, Value tile) {
  Type element = elementOf(tile);
  constexpr uint64_t unit = 16;
  uint64_t size = *constantCount(staging.extents) * storedSize(element);
  std::string text = std::to_string(llvm::alignTo(size, unit));
  Value copy = LocalOp::create(
      b, tile.getType(), tile.getDefiningOp<LocalOp>().getExtents(),
      /*zeroed=*/false, b.getStrArrayAttr(StringRef(text)),
      /*slot=*/IntegerAttr(), /*per_lane=*/false, /*per_slice=*/false,
      /*shared=*/false);
  if (!staging.isRead)
    return copy;
  forChunks(staging, tile, [&](ArrayRef<SmallVector<Value>> indices) {
    SmallVector<Type> types(indices.size(), element);
    auto chunk = LoadChunkOp::create(b, types, tile, indices.front(),
                                     uint64_t(staging.extents.size() - 1));
    for (auto [value, at] : llvm::zip(chunk.getElements(), indices))
      StoreOp::create(b, value, copy, at);
  });
  return copy;
}

/// Moves an array between memory and its tile.
template <typename Op> void Stager::move(const Staging &staging, Value tile) {
  SmallVector<Value> extents(tile.getDefiningOp<LocalOp>().getExtents());
  SmallVector<Value> zeros(extents.size(), constant(0));
  Op::create(b, staging.array, zeros, extents, tile, constant(0),
             constantCount(staging.extents).value_or(0));
}

void Stager::stageWhole() {
  SmallVector<Value> tiles = makeTiles(), used = tiles;
  auto ret = *kernel.getBody().getOps<ReturnOp>().begin();
  b.setInsertionPointAfter(tiles.front().getDefiningOp()); // the block's last
  // With more, a thread would wait for registers: inputs stay in their tiles.
  constexpr uint64_t maxInputs = 192 * 4;
  const bool copiesInputs = plan.hasCopies && copiedBytes() <= maxInputs;
  auto bringIn = [&](bool isGuest) {
    auto isMeant = [&](const Staging &staging) {
      return (plan.hasCopies && staging.placeOf.has_value()) == isGuest;
    };
    bool isWaiting = false;
    for (auto [staging, tile] : llvm::zip(plan.arrays, tiles))
      if (isMeant(staging) && staging.isRead) {
        move<StageInOp>(staging, tile);
        isWaiting = true;
      }
    if (isWaiting)
      StageWaitOp::create(b);
    for (auto [staging, tile, mine] : llvm::zip(plan.arrays, tiles, used))
      if (isMeant(staging) && plan.hasCopies &&
          (staging.isWritten || copiesInputs))
        mine = makeCopy(staging, tile);
  };
  // Results that are in the tile of an input are there before it.
  bringIn(/*isGuest=*/true);
  bringIn(/*isGuest=*/false);
  for (auto [staging, mine] : llvm::zip(plan.arrays, used))
    for (Operation *op : staging.uses)
      op->replaceUsesOfWith(staging.array, mine);
  b.setInsertionPoint(ret);
  for (auto [staging, tile, copy] : llvm::zip(plan.arrays, tiles, used))
    if (staging.isWritten && copy != tile)
      forChunks(staging, tile, [&](ArrayRef<SmallVector<Value>> indices) {
        SmallVector<Value> values;
        for (ArrayRef<Value> at : indices)
          values.push_back(LoadOp::create(b, elementOf(tile), copy, at));
        StoreChunkOp::create(b, values, tile, indices.front(),
                             uint64_t(staging.extents.size() - 1));
      });
  for (auto [staging, tile] : llvm::zip(plan.arrays, tiles))
    if (staging.isWritten)
      move<StageOutOp>(staging, tile);
  if (plan.hasCopies)
    kernel->setAttr(unrolledAttribute, b.getUnitAttr());
}

void Stager::run() {
  for (LocalOp local : plan.locals) {
    DimTokens bytes =
        pitchOf(local.getResult(), *extentsOf(kernel, local.getResult()));
    local.setBytesAttr(attributeOf(b.getContext(), bytes));
    local.setShared(true);
    local.setPerLane(true);
  }
  if (!plan.loops.empty())
    stageLoops(kernel, plan);
  else
    stageWhole();
  kernel.setStaged(true);
}

void kern::ir::loop::stage(KernelOp kernel, bool isSpread) {
  orderPranges(kernel);
  Found<StagePlan> plan = stagePlanOf(kernel, isSpread);
  if (!plan)
    return;
  if (isSpread && !plan->loops.empty())
    kernel->setAttr(spreadAttribute, UnitAttr::get(kernel.getContext()));
  Stager(kernel, std::move(*plan)).run();
}

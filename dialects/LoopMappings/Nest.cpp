//===- Nest.cpp - the description of a kernel -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Mappings.h"

#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopMappings/Elementwise.h"
#include "dialects/LoopMappings/Flatten.h"
#include "dialects/LoopMappings/OrderedLoop.h"
#include "dialects/LoopMappings/Phases.h"
#include "dialects/LoopMappings/PlainProduct.h"
#include "dialects/LoopMappings/Privatise.h"
#include "dialects/LoopMappings/Recentre.h"
#include "dialects/LoopMappings/Scans.h"
#include "dialects/LoopMappings/Slices.h"
#include "dialects/LoopMappings/StagePlan.h"
#include "dialects/LoopMappings/Staged.h"
#include "dialects/LoopMappings/Tiling.h"
#include "dialects/LoopMappings/Unroll.h"
#include "dialects/LoopToLLVM/ChunkedLoads.h"
#include "dialects/LoopToLLVM/Entry.h"
#include "dialects/LoopToLLVM/Extents.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/ResidentRows.h"
#include "dialects/LoopToLLVM/ScanLowering.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::DimExpr;
using kern::runtime::Nest;

/// The innermost range of a loop: its index, and the constant by which that
/// advances.
static std::pair<Value, std::optional<int64_t>> innermost(Operation *loop) {
  auto constant = [](Value step) -> std::optional<int64_t> {
    APInt value;
    if (!matchPattern(step, m_ConstantInt(&value)))
      return std::nullopt;
    return value.getSExtValue();
  };
  if (auto reduce = dyn_cast<ReduceOp>(loop))
    return {reduce.inductionVar(), constant(reduce.getStep())};
  if (auto scan = dyn_cast<ScanOp>(loop))
    return {scan.getElements().getArgument(0), constant(scan.getStep())};
  auto parallel = cast<ParallelOp>(loop);
  return {parallel.entry().getArguments().back(),
          constant(parallel.getStep().back())};
}

/// Adds an operation's access, if it has one, in a loop with the innermost
/// index `inner`, or in none.
static void addAccess(KernelOp kernel, Operation *op, Value inner,
                      std::optional<int64_t> step, Nest &nest) {
  std::optional<unsigned> operand;
  if (Value array = accessedArray(op))
    operand = operandOf(kernel, array);
  if (!operand)
    return;
  Nest::Access access;
  access.operand = *operand;
  access.isWrite = !isa<LoadOp>(op);
  OperandRange indices = isa<LoadOp>(op) ? cast<LoadOp>(op).getIndices()
                         : isa<StoreOp>(op)
                             ? cast<StoreOp>(op).getIndices()
                             : cast<AccumulateOp>(op).getIndices();
  access.steps.resize(kernel.numFlat() + 1);
  for (Value index : indices) {
    auto steps = step ? stepsOf(kernel, index, inner, *step) : std::nullopt;
    if (!steps) {
      access.steps.clear();
      break;
    }
    steps->resize(access.steps.size());
    for (auto [all, one] : llvm::zip(access.steps, *steps))
      all.push_back(one);
  }
  if (!llvm::is_contained(nest.accesses, access))
    nest.accesses.push_back(std::move(access));
}

/// Adds the accesses of a loop that lanes share.
static void addAccesses(KernelOp kernel, Operation *loop, Nest &nest) {
  auto [inner, step] = innermost(loop);
  loop->walk([&, inner = inner, step = step](Operation *op) {
    addAccess(kernel, op, inner, step, nest);
  });
}

/// The shared memory in which the warps of the largest group combine the
/// kernel's reductions (LoopToGPU/SharedSlots.h).
static unsigned reductionBytes(KernelOp kernel) {
  constexpr unsigned threads = 1024, positionBytes = 8;
  llvm::SmallSet<unsigned, 8> sizes;
  bool hasPositions = false;
  for (Block &block : kernel.getBody())
    for (auto reduce : block.getOps<ReduceOp>()) {
      sizes.insert(storedSize(reduce.getValueType()));
      if (reduce.getKept())
        sizes.insert(positionBytes);
      hasPositions |= carriesPosition(reduce.getKind(), reduce.getValueType());
    }
  unsigned bytes = hasPositions ? positionBytes : 0;
  for (unsigned size : sizes)
    bytes += size;
  return bytes * threads;
}

/// Describes what lanes can share of a kernel.
static void describeLoops(KernelOp kernel, Nest &nest) {
  nest.isStraight = canGoAcross(kernel);
  nest.hasOrderedLoops = hasOrderedLoops(kernel);
  nest.readsTogether = canReadTogether(kernel);
  nest.sharedExtents = extentsIn(sharedExtents(kernel));
  if (Found<unsigned> launches = slicedLaunches(kernel))
    nest.launches = *launches;
  // A block has 48 KiB, of which copies take up to 32.
  constexpr unsigned ofReductions = 16 << 10;
  for (const PrivateSum &sum : privateSums(kernel)) {
    if (reductionBytes(kernel) > ofReductions)
      break;
    DimTokens bytes = sum.bytes();
    nest.privatised.push_back(DimExpr::of(bytes));
  }
  for (Block &block : kernel.getBody())
    for (Operation &op : block) {
      if (!isa<ParallelOp, ReduceOp, ScanOp>(op) || runsInOrder(&op))
        continue;
      nest.hasLoops = true;
      if (auto reduce = dyn_cast<ReduceOp>(op))
        if (auto chunks = chunkedLoads(reduce))
          nest.chunk = std::max(nest.chunk, chunks->size);
      if (auto scan = dyn_cast<ScanOp>(op))
        nest.chunk = std::max(nest.chunk, scanChunks(scan).size);
      addAccesses(kernel, &op, nest);
    }
  if (Found<ScanRows> scans = scanRows(kernel)) {
    nest.isScan = true;
    nest.residentChunks = scans->kept;
    nest.residentExtent = DimExpr::of(scans->extent);
    return;
  }
  // A schedule counts all loops in the same chunks.
  if (auto rows = residentRows(kernel); rows && rows->chunk == nest.chunk) {
    nest.residentChunks = rows->chunks;
    nest.residentExtent = DimExpr::of(rows->extentExpression);
    nest.recentres = recentres(kernel);
  }
}

/// Whether a flat kernel has no loop for lanes to share, but has accumulations
/// that a block could privatise.
static bool losesSums(KernelOp kernel, KernelOp flattened) {
  bool hasLoops = false;
  for (Block &block : flattened.getBody())
    for (Operation &op : block)
      hasLoops |= isa<ParallelOp, ReduceOp, ScanOp>(op);
  return !hasLoops && !privateSums(kernel).empty();
}

static Nest::Tile describe(const Tiling &tiling, const TilePlan &shape) {
  Nest::Tile tile{.rows = shape.rows(),
                  .columns = shape.columns(),
                  .threads = shape.threads()};
  unsigned bytes = sharedBytesOf(tiling, shape) * shape.groups();
  if (bytes > kern::runtime::unaskedSharedBytes)
    tile.sharedBytes = bytes;
  // As GPUs with fast units for all these types have it.
  constexpr unsigned speedOfDoubles = 2, speedOfHalves = 8;
  if (shape.usesMatrixUnits())
    tile.speed =
        tiling.product->element.isF64() ? speedOfDoubles : speedOfHalves;
  return tile;
}

static Nest::Unrolled describe(KernelOp kernel, const Unrolling &unrolling) {
  Nest::Unrolled out;
  out.iterations = DimExpr::of(unrolling.iterations);
  for (const WindowPlan &shape : windowsOfUnrolled(kernel).shapes)
    out.tiles.push_back(shape.tile());
  out.rowOperands.assign(unrolling.rowOperands.begin(),
                         unrolling.rowOperands.end());
  return out;
}

/// The phases are there if all of them are flat.
static void describePhases(KernelOp kernel, Nest &nest) {
  Found<unsigned> phases = phasesOf(kernel);
  for (unsigned k = 1; phases && k <= *phases; ++k) {
    OwningOpRef<KernelOp> phase = kernel.clone();
    keepPhase(*phase, k);
    nest.phases.push_back(kern::ir::loop::nestOf(*phase));
    nest.phases.back().whole.clear(); // that of the body counts
    if (nest.phases.back().flat.empty())
      return nest.phases.clear();
  }
}

Nest kern::ir::loop::nestOf(KernelOp kernel) {
  Nest nest;
  if (kernel.isUfunc() || kernel.getChecks())
    return nest;
  nest.whole = wholeResults(kernel);
  for (const StagedArray &array : stagedArrays(kernel))
    nest.stages.push_back({array.operand,
                           array.dimension,
                           {{array.bytes.begin(), array.bytes.end()}},
                           array.isInPlace,
                           array.spreadBytes});
  OwningOpRef<KernelOp> copy = kernel.clone();
  loopsToReductions(*copy);
  if (!flatten(*copy) || losesSums(kernel, *copy)) {
    describeLoops(kernel, nest);
    describePhases(kernel, nest);
    return nest;
  }
  nest.flat = extentsIn(copy->getFlatExtents());
  if (auto accesses = elementwiseAccesses(*copy)) {
    nest.isElementwise = true;
    nest.accesses = std::move(*accesses);
    return nest;
  }
  describeLoops(*copy, nest);
  nest.product = plainProductOf(*copy);
  if (Found<Tiling> tiling = tilingOf(*copy))
    for (const TilePlan &shape : tiling->shapes)
      nest.tiles.push_back(describe(*tiling, shape));
  if (std::optional<Windows> windows = windowsOf(*copy)) {
    for (Block &block : copy->getBody())
      for (Operation &op : block)
        addAccess(*copy, &op, Value(), 0, nest);
    for (const WindowPlan &shape : windows->shapes)
      nest.tiles.push_back(shape.tile());
  }
  if (std::optional<Unrolling> unrolling = unrollingOf(*copy))
    nest.unrolled = describe(*copy, *unrolling);
  nest.roundsAlike = (!nest.tiles.empty() || !nest.unrolled.tiles.empty()) &&
                     roundsAlike(*copy);
  return nest;
}

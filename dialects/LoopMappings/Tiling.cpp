//===- Tiling.cpp - which loops can be computed in tiles ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Tiling.h"

#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopMappings/MatrixProduct.h"
#include "dialects/LoopMappings/TileShapes.h"
#include "dialects/LoopToLLVM/GroupSharing.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

ReduceOp kern::ir::loop::innermostOf(ReduceOp reduce) {
  for (Operation &op : reduce.entry())
    if (auto inner = dyn_cast<ReduceOp>(op))
      return innermostOf(inner);
  return reduce;
}

/// Whether copies of an operation compute the same: it is scalar code, or a
/// load.
static bool isScalar(Operation &op) {
  return isa<LoadOp, func::CallOp>(op) ||
         (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
}

namespace {

class TilingFinder {
public:
  explicit TilingFinder(KernelOp kernel) : kernel(kernel) {
    tiling.hasRows = kernel.numFlat() > 1;
  }
  Found<Tiling> find();

private:
  void findDependences(Block &block, unsigned index);
  /// These return what is in the way.
  std::optional<Obstacle> takeReduction(ReduceOp reduce, bool isInside);
  std::optional<Obstacle> takeLoad(LoadOp load, ReduceOp reduce, int64_t step);
  bool readsWritten(Operation *op);
  unsigned itemIndices() const {
    return columnIndex | (tiling.hasRows ? rowIndex : 0);
  }

  KernelOp kernel;
  Tiling tiling;
  llvm::SmallPtrSet<Value, 4> written;
};

} // namespace

/// `index` is that of the block's argument.
void TilingFinder::findDependences(Block &block, unsigned index) {
  for (Operation &op : block) {
    unsigned mask = 0;
    for (Value operand : op.getOperands())
      mask |= tiling.dependenceOf(operand);
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      bool isOuter = innermostOf(reduce) != reduce;
      unsigned own = isOuter ? outerIndex : innerIndex;
      tiling.depends[reduce.inductionVar()] = own;
      findDependences(reduce.entry(), own);
      mask |= itemIndices() | (index & outerIndex);
    }
    for (Value result : op.getResults())
      tiling.depends[result] = mask;
  }
}

/// Whether what an operation computes follows from an array that the kernel
/// writes.
bool TilingFinder::readsWritten(Operation *op) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> work;
  op->walk([&](Operation *inner) { work.push_back(inner); });
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto load = dyn_cast<LoadOp>(next))
      if (written.contains(load.getArray()))
        return true;
    for (Value operand : next->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        work.push_back(maker);
  }
  return false;
}

std::optional<Obstacle> TilingFinder::takeLoad(LoadOp load, ReduceOp reduce,
                                               int64_t step) {
  if (!(tiling.dependenceOf(load.getResult()) & innerIndex))
    return std::nullopt;
  if (!operandOf(kernel, load.getArray()))
    return Obstacle{"`{0}` is a local array", load.getLoc()};
  size_t flat = kernel.numFlat();
  TileAccess access{load, load.getType(), {}};
  std::array<unsigned, 3> places = {};
  for (auto [d, index] : llvm::enumerate(load.getIndices())) {
    auto steps = stepsOf(kernel, index, reduce.inductionVar(), step);
    if (!steps)
      return Obstacle{"`{0}` is indexed by data", load.getLoc()};
    TileAccess::Dimension dimension{unsigned(d), {}};
    if (tiling.hasRows)
      dimension.steps[0] = (*steps)[flat - 2];
    dimension.steps[1] = (*steps)[flat - 1];
    dimension.steps[2] = (*steps)[flat];
    bool moves = false;
    for (unsigned x = 0; x < 3; ++x) {
      int64_t by = dimension.steps[x];
      constexpr int64_t farthest = 16;
      if (by < -farthest || by > farthest)
        return Obstacle{"neighbours read elements of `{0}` that lie far apart",
                        load.getLoc()};
      places[x] += by != 0;
      moves |= by != 0;
    }
    if (moves)
      access.dimensions.push_back(dimension);
  }
  // A diagonal needs few elements of the box around it. Elements
  // that differ for each item and iteration are read once, so a tile gains
  // nothing.
  unsigned indices = tiling.hasRows ? 3 : 2;
  if (llvm::any_of(places, [](unsigned n) { return n > 1; }))
    return Obstacle{"one index moves along a diagonal of `{0}`", load.getLoc()};
  if (access.dimensions.empty() || access.dimensions.size() >= indices ||
      access.dimensions.size() > 2)
    return Obstacle{"each element of `{0}` is read in one iteration alone",
                    load.getLoc()};
  tiling.accesses.push_back(std::move(access));
  return std::nullopt;
}

std::optional<Obstacle> TilingFinder::takeReduction(ReduceOp reduce,
                                                    bool isInside) {
  ReduceOp inner;
  if (!reduce.getBody().hasOneBlock())
    return Obstacle{"there is a branch in the sum", reduce.getLoc()};
  unsigned bounds = 0;
  for (Value bound : reduce->getOperands())
    bounds |= tiling.dependenceOf(bound);
  if (bounds & ~(isInside ? outerIndex : 0))
    return Obstacle{"the range of the sum differs among iterations",
                    reduce.getLoc()};
  Obstacle tooDeep = {"there are several loops in the sum", reduce.getLoc()};
  for (Operation &op : reduce.entry().without_terminator()) {
    if (auto nested = dyn_cast<ReduceOp>(op)) {
      if (inner || isInside)
        return tooDeep;
      if (auto obstacle = takeReduction(nested, /*isInside=*/true))
        return obstacle;
      inner = nested;
    } else if (!isScalar(op)) {
      return tooDeep;
    }
  }
  if (inner)
    return std::nullopt;
  APInt step;
  if (!matchPattern(reduce.getStep(), m_ConstantInt(&step)))
    return Obstacle{"the step of the sum's range is not constant",
                    reduce.getLoc()};
  size_t before = tiling.accesses.size();
  for (LoadOp load : reduce.entry().getOps<LoadOp>())
    if (auto obstacle = takeLoad(load, reduce, step.getSExtValue()))
      return obstacle;
  if (tiling.accesses.size() > before)
    return std::nullopt;
  return Obstacle{"the sum reads no array", reduce.getLoc()};
}

Found<Tiling> TilingFinder::find() {
  if (kernel.numFlat() == 0 || !kernel.getResultTypes().empty())
    return {};
  ReduceOp first;
  for (Block &block : kernel.getBody())
    for (auto reduce : block.getOps<ReduceOp>())
      if (!first)
        first = reduce;
  if (!first)
    return {};
  if (!kernel.getBody().hasOneBlock())
    return Obstacle{"a branch or a loop in order is around the sum",
                    first.getLoc()};
  kernel->walk([&](Operation *op) {
    if (isa<StoreOp, AccumulateOp>(op))
      written.insert(accessedArray(op));
  });
  tiling.depends[kernel.flatIndices().back()] = columnIndex;
  if (tiling.hasRows)
    tiling.depends[kernel.flatIndices().drop_back().back()] = rowIndex;
  findDependences(kernel.entry(), 0);
  for (Operation &op : kernel.entry().without_terminator()) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      if (auto obstacle = takeReduction(reduce, /*isInside=*/false))
        return *obstacle;
      if (readsWritten(reduce))
        return Obstacle{"the sum reads what the loop writes", reduce.getLoc()};
      tiling.reductions.push_back(reduce);
    } else if (!isScalar(op) && !isa<StoreOp>(op)) {
      return Obstacle{"there are several loops or arrays in an iteration",
                      op.getLoc()};
    }
  }
  tiling.product = matrixProductOf(tiling);
  tiling.shapes = tileShapes(tiling);
  if (tiling.shapes.empty())
    return Obstacle{"the results of a tile do not fit into registers",
                    first.getLoc()};
  return tiling;
}

Found<Tiling> kern::ir::loop::tilingOf(KernelOp flattened) {
  Operation *scan = nullptr;
  flattened->walk([&](ScanOp op) { scan = op; });
  if (scan)
    return Obstacle{"this is a scan", scan->getLoc()};
  return TilingFinder(flattened).find();
}

//===- HoistedArrays.cpp - local arrays made before a choice --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path may make a local array that the code after the paths uses:
//
//   if c:
//       a = x - mean(x)
//   else:
//       a = zeros(n, T)
//   y[:] = a
//
// The array is then made before the paths part, where its shape is known too.
// If a value of the path says its type, the path says so: `kern.element`.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/LoopArrays.h"
#include "compiler/lowering/WholeArrays.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// Whether control may come from a block to itself again without passing
/// through `outer`.
static bool isInLoopWithin(Block *block, Block *outer) {
  SmallPtrSet<Block *, 16> seen{outer};
  SmallVector<Block *> worklist(block->getSuccessors());
  while (!worklist.empty()) {
    Block *current = worklist.pop_back_val();
    if (current == block)
      return true;
    if (seen.insert(current).second)
      llvm::append_range(worklist, current->getSuccessors());
  }
  return false;
}

/// Moves a local array before an operation.
static void moveBefore(FunctionLowering &fn, LocalOp local, Operation *place) {
  OpBuilder::InsertionGuard guard(fn.builder);
  if (Value like = local.getLike()) {
    fn.builder.setInsertionPointAfter(local);
    ElementOp::create(fn.builder, local.getLoc(), local, like);
    local.getLikeMutable().clear();
  }
  fn.builder.setInsertionPoint(place);
  for (OpOperand &extent : local.getExtentsMutable())
    extent.set(computedHere(fn, extent.get()));
  local->moveBefore(place);
}

void makeBefore(FunctionLowering &fn, ArrayRef<Value> arrays,
                ArrayRef<Block *> paths) {
  DominanceInfo dominance;
  Block *common = paths.front();
  for (Block *path : paths.drop_front()) {
    // Nothing dominates what follows an error and is never reached.
    if (path->getParent() != common->getParent() ||
        !dominance.isReachableFromEntry(path) ||
        !dominance.isReachableFromEntry(common))
      return;
    common = dominance.findNearestCommonDominator(common, path);
    if (!common)
      return;
  }
  if (!common->mightHaveTerminator())
    return;
  for (Value array : arrays) {
    if (auto table = array.getDefiningOp<TableOp>();
        table && !existAfter(array, paths) &&
        table->getParentRegion() == common->getParent())
      table->moveBefore(common->getTerminator());
    auto local = array.getDefiningOp<LocalOp>();
    if (!local || existAfter(array, paths) ||
        local->getParentRegion() != common->getParent())
      continue;
    // One of zeros is new in each iteration.
    if (local.getZeroed() && isInLoopWithin(local->getBlock(), common))
      continue;
    moveBefore(fn, local, common->getTerminator());
  }
}

static bool isOfInputs(const ArrayView &view) {
  return !view.writable && llvm::all_of(view.arrays(), [](Value array) {
    return isa<BlockArgument>(array);
  });
}

void copyInputs(FunctionLowering &fn, std::vector<ArrayView> &views,
                MutableArrayRef<Block *> paths, Span span) {
  auto local = llvm::find_if(views, isWholeLocal);
  if (local == views.end())
    return;
  const std::vector<const Axis *> axes = std::as_const(*local).open();
  const bool areAlike = llvm::all_of(views, [&](const ArrayView &view) {
    return (isWholeLocal(view) || isOfInputs(view)) &&
           llvm::equal(
               axes, view.open(), [](const Axis *a, const Axis *b) -> bool {
                 return isShapeValue(b->extent) && !isLargeShape(b->extent) &&
                        !areDifferent(a->extent, b->extent);
               });
  });
  if (!areAlike)
    return;
  OpBuilder::InsertionGuard guard(fn.builder);
  for (auto [view, path] : llvm::zip(views, paths)) {
    if (isWholeLocal(view))
      continue;
    fn.builder.setInsertionPointToEnd(path);
    SmallVector<Value> extents;
    for (const Axis *axis : view.open())
      extents.push_back(axis->extent);
    const SmallVector<Value> zeros(
        extents.size(), fn.indexValue(fn.constantInt(0, span), span));
    const Value first = load(fn, elementOf(fn, view, zeros, span), span);
    std::optional<ArrayView> copy = localLike(fn, first, extents, span);
    copy->name = view.name;
    assignPart(fn, *copy, Binding(view), span, span);
    copy->writable = false;
    view = *copy;
    path = fn.builder.getInsertionBlock();
  }
}

} // namespace kern::compiler

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
// The array is then made before the paths part. Its shape is known there. Where
// a value of the path says its type, that value is computed there too: it has
// no use but its type, so that no code remains of it.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/WholeArrays.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

namespace {
/// Moves a local array to a place, with what it is made from.
class Hoisting {
public:
  explicit Hoisting(Operation *place) : place(place) {}

  /// False if it depends on what only exists later; then nothing has moved.
  bool plan(LocalOp local);
  void apply();

private:
  static constexpr size_t maxSteps = 1000;

  bool need(Value value);
  bool need(Operation *op);

  Operation *place;
  DominanceInfo dominance;
  llvm::SetVector<Operation *> steps; ///< each after those that it needs
};
} // namespace

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

bool Hoisting::need(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return dominance.dominates(value, place);
  return need(op);
}

bool Hoisting::need(Operation *op) {
  if (dominance.properlyDominates(op, place) || steps.contains(op))
    return true;
  if (steps.size() > maxSteps || op->getNumResults() == 0 ||
      (isa<LocalOp>(op) && isInLoopWithin(op->getBlock(), place->getBlock())))
    return false;
  bool isKnown = true;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
        isKnown = isKnown && need(operand);
  });
  if (isKnown)
    steps.insert(op);
  return isKnown;
}

bool Hoisting::plan(LocalOp local) { return need(local.getOperation()); }

void Hoisting::apply() {
  OpBuilder builder(place);
  IRMapping made;
  for (Operation *step : steps)
    if (!isa<LocalOp>(step)) {
      builder.clone(*step, made);
    } else {
      for (OpOperand &operand : step->getOpOperands())
        operand.set(made.lookupOrDefault(operand.get()));
      step->moveBefore(place);
    }
}

void makeBefore(ArrayRef<Value> arrays, ArrayRef<Block *> paths) {
  DominanceInfo dominance;
  Block *common = paths.front();
  for (Block *path : paths.drop_front()) {
    if (path->getParent() != common->getParent())
      return;
    common = dominance.findNearestCommonDominator(common, path);
    if (!common)
      return;
  }
  if (!common->mightHaveTerminator())
    return;
  for (Value array : arrays) {
    auto local = array.getDefiningOp<LocalOp>();
    if (!local || existAfter(array, paths) ||
        local->getParentRegion() != common->getParent())
      continue;
    Hoisting hoisting(common->getTerminator());
    if (hoisting.plan(local))
      hoisting.apply();
  }
}

static bool isWholeLocal(const ArrayView &view) {
  return !view.chosen && view.order.empty() &&
         view.array.getDefiningOp<LocalOp>() &&
         llvm::none_of(view.axes, [](const Axis &axis) {
           return axis.fixed || axis.lower || axis.step != 1;
         });
}

static bool isOfInputs(const ArrayView &view) {
  return !view.writable && llvm::all_of(view.arrays(), [](Value array) {
    return isa<BlockArgument>(array);
  });
}

void copyInputs(FunctionLowering &fn, std::vector<ArrayView> &views,
                ArrayRef<Block *> paths, Span span) {
  auto local = llvm::find_if(views, isWholeLocal);
  if (local == views.end())
    return;
  const std::vector<const Axis *> axes = std::as_const(*local).open();
  const bool areAlike = llvm::all_of(views, [&](const ArrayView &view) {
    return (isWholeLocal(view) || isOfInputs(view)) &&
           llvm::equal(
               axes, view.open(), [](const Axis *a, const Axis *b) -> bool {
                 return isShapeValue(b->extent) && !isLargeShape(b->extent) &&
                        isSameExtent(a->extent, b->extent);
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
  }
}

} // namespace kern::compiler

//===- ChosenArrays.cpp - arrays that a condition chooses -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ChosenArrays.h"

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Scopes.h"
#include "compiler/lowering/WholeArrays.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

bool mayShareArray(const ArrayView &a, const ArrayView &b) {
  return llvm::any_of(a.arrays(), [&](Value array) {
    return llvm::is_contained(b.arrays(), array);
  });
}

/// Whether two views are taken in one way, with extents that `areEqual`.
static bool areAlike(const ArrayView &a, const ArrayView &b,
                     llvm::function_ref<bool(Value, Value)> areEqual) {
  auto isInParts = [](const ArrayView &view) {
    return view.chosen && !view.chosen->parts.empty();
  };
  return a.order == b.order && a.readAs == b.readAs && !a.storedAs &&
         !b.storedAs && !isInParts(a) && !isInParts(b) &&
         llvm::equal(a.axes, b.axes, [&](const Axis &x, const Axis &y) {
           if (x.fixed || y.fixed)
             return x.fixed && y.fixed;
           return x.step == y.step && areEqual(x.extent, y.extent);
         });
}

bool haveSameShape(const ArrayView &a, const ArrayView &b) {
  return areAlike(a, b, isSameExtent);
}

bool mayHaveSameShape(const ArrayView &a, const ArrayView &b) {
  return areAlike(a, b, [](Value x, Value y) {
    return isSameExtent(x, y) ||
           (isShapeValue(x) && isShapeValue(y) && !isLargeShape(x) &&
            !isLargeShape(y) && !areDifferent(x, y));
  });
}

void requireSameShape(FunctionLowering &fn, const ArrayView &a,
                      const ArrayView &b, Span span) {
  for (auto [x, y] : llvm::zip(a.open(), b.open()))
    if (!isSameExtent(x->extent, y->extent))
      SameExtentOp::create(fn.builder, fn.loc(span),
                           computedHere(fn, x->extent),
                           computedHere(fn, y->extent));
}

bool havePlacesAlike(const ArrayView &a, const ArrayView &b) {
  return llvm::equal(a.axes, b.axes, [](const Axis &x, const Axis &y) {
    return !x.lower == !y.lower;
  });
}

ArrayView withPlaceAs(FunctionLowering &fn, ArrayView view,
                      ArrayRef<const ArrayView *> others, Span span) {
  for (auto [i, axis] : llvm::enumerate(view.axes))
    if (!axis.lower && llvm::any_of(others, [&, i = i](const ArrayView *other) {
          return bool(other->axes[i].lower);
        }))
      axis.lower = fn.indexValue(fn.constantInt(0, span), span);
  return view;
}

Value arrayNumber(FunctionLowering &fn, size_t number, Span span) {
  Value constant = fn.constantInt(int64_t(number), span);
  constant.getDefiningOp()->setAttr(arrayNumberAttribute,
                                    fn.builder.getUnitAttr());
  return constant;
}

/// Whether a number is that of an array, where it is none of those before it.
static Value isNextArray(FunctionLowering &fn, Value number, size_t next,
                         Span span) {
  Value is = fn.applyValues(ScalarFunction::equal,
                            {number, arrayNumber(fn, next, span)}, span);
  is.getDefiningOp()->setAttr(arrayNumberAttribute, fn.builder.getUnitAttr());
  return is;
}

SmallVector<Number> placeOf(FunctionLowering &fn, const ArrayView &view,
                            ArrayRef<Value> arrays, Span span) {
  SmallVector<Number> place;
  for (const Axis &axis : view.axes)
    if (axis.fixed || axis.lower)
      place.push_back({axis.fixed ? axis.fixed : axis.lower, {}});
  if (arrays.size() == 1)
    return place;
  auto numberOf = [&](Value array) {
    return arrayNumber(fn, size_t(llvm::find(arrays, array) - arrays.begin()),
                       span);
  };
  Value number = numberOf(view.arrays().back());
  for (size_t i = view.arrays().size() - 1; i-- > 0;)
    number = fn.applyValues(ScalarFunction::where,
                            {isNextArray(fn, view.chosen->number, i, span),
                             numberOf(view.arrays()[i]), number},
                            span);
  place.push_back({number, {}});
  return place;
}

ArrayView withPlace(FunctionLowering &fn, ArrayView view,
                    ArrayRef<Value> arrays, ArrayRef<Value> place, Span span) {
  for (Axis &axis : view.axes)
    if (axis.fixed || axis.lower) {
      (axis.fixed ? axis.fixed : axis.lower) =
          fn.indexValue(place.front(), span);
      place = place.drop_front();
    }
  view.array = arrays.front();
  view.chosen.reset();
  if (arrays.size() > 1)
    view.chosen = ChosenArray{arrays.vec(), place.front(), {}};
  return view;
}

std::vector<Value> arraysOf(ArrayRef<const ArrayView *> views) {
  std::vector<Value> all;
  for (const ArrayView *view : views)
    for (Value array : view->arrays())
      if (!llvm::is_contained(all, array))
        all.push_back(array);
  return all;
}

bool existAfter(ArrayRef<Value> arrays, ArrayRef<Block *> blocks) {
  DominanceInfo dominance;
  return llvm::all_of(arrays, [&](Value array) {
    Operation *maker = array.getDefiningOp();
    return !maker || llvm::all_of(blocks, [&](Block *block) {
      return dominance.dominates(maker->getBlock(), block);
    });
  });
}

Value onArray(FunctionLowering &fn, const ArrayView &view,
              llvm::function_ref<Value(const ArrayView &)> access, Span span) {
  if (!view.chosen)
    return access(view);
  Block *end = fn.newBlock();
  Value result;
  const std::vector<ArrayView> parts = partsOf(fn, view, span);
  for (auto [number, one] : llvm::enumerate(parts)) {
    Block *other = nullptr;
    if (number + 1 < parts.size()) {
      Block *then = fn.newBlock();
      other = fn.newBlock();
      Value isThis = isNextArray(fn, view.chosen->number, number, span);
      cf::CondBranchOp::create(fn.builder, fn.loc(span),
                               fn.truthOf({isThis, {}}, span), then, other);
      fn.builder.setInsertionPointToStart(then);
    }
    Value value = access(one);
    if (value && !result)
      result = end->addArgument(OpenType::get(fn.builder.getContext()),
                                fn.loc(span));
    cf::BranchOp::create(fn.builder, fn.loc(span), end,
                         value ? ValueRange(value) : ValueRange());
    if (other)
      fn.builder.setInsertionPointToStart(other);
  }
  fn.builder.setInsertionPointToStart(end);
  return result;
}

Value typedLike(FunctionLowering &fn, const ArrayView &view, Span span) {
  if (view.readAs)
    return view.readAs;
  if (!view.chosen)
    return view.array;
  SmallVector<Value> zeros(view.open().size(),
                           fn.indexValue(fn.constantInt(0, span), span));
  return load(fn, elementOf(fn, view, zeros, span), span);
}

Binding onBranches(FunctionLowering &fn, Value condition,
                   const syntax::Conditional &expr,
                   llvm::function_ref<Binding(const syntax::Expr &)> lower,
                   Span span) {
  Block *then = fn.newBlock(), *otherwise = fn.newBlock();
  cf::CondBranchOp::create(fn.builder, fn.loc(span), condition, then,
                           otherwise);
  ValueJoin paths(fn);
  for (auto [block, chosen] : {std::pair(then, expr.value.get()),
                               std::pair(otherwise, expr.otherwise.get())}) {
    EnvScope own(fn);
    fn.builder.setInsertionPointToStart(block);
    Binding value = lower(*chosen);
    paths.arrive(std::move(value));
  }
  paths.fillNumbers(span);
  return paths.join(span);
}

} // namespace kern::compiler

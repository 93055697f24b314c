//===- ChosenParts.cpp - parts of arrays that a condition chooses ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a condition chooses need not be taken from its array in one way:
//
//   a = x if c else y[::-1]
//   a = t[:, 0] if c else row
//
// A path says which part it chose, and where that lies; of the others it says
// that they begin at 0, where nothing looks. An access has a path for each.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/WholeArrays.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

static bool isComparable(Value extent) {
  return isShapeValue(extent) && !isLargeShape(extent);
}

bool mayBeChosenParts(const ArrayView &a, const ArrayView &b) {
  return a.readAs == b.readAs && !a.storedAs && !b.storedAs &&
         llvm::equal(a.open(), b.open(), [](const Axis *x, const Axis *y) {
           return isSameExtent(x->extent, y->extent) ||
                  (isComparable(x->extent) && isComparable(y->extent) &&
                   !areDifferent(x->extent, y->extent));
         });
}

/// The step of a slice that is a literal; nothing for others.
static std::optional<int64_t> literalStep(const syntax::Expr *step) {
  if (!step)
    return 1;
  const auto *unary = step->as<syntax::Unary>();
  const bool isNegative = unary && unary->op == syntax::UnaryOp::Minus;
  const auto *literal =
      (isNegative ? *unary->operand : *step).as<syntax::IntegerLiteral>();
  if (!literal || literal->words.size() != 1)
    return std::nullopt;
  const auto size = int64_t(literal->words.front());
  return isNegative ? -size : size;
}

/// How an expression that means a part of an array takes it: which axes are
/// fixed, which ranges do not begin at 0, the steps and the order. Bounds and
/// extents are of no account. Nothing where that is not plain.
static std::optional<ArrayView> wayOf(const FunctionLowering &fn,
                                      const syntax::Expr &expr) {
  if (const auto *name = expr.as<syntax::Name>()) {
    auto found = fn.frame->env.find(name->name);
    const auto *view =
        found == fn.frame->env.end() ? nullptr : found->second.as<ArrayView>();
    return view ? std::optional(*view) : std::nullopt;
  }
  if (const auto *attribute = expr.as<syntax::Attribute>()) {
    std::optional<ArrayView> way = wayOf(fn, *attribute->value);
    return way && attribute->name.name == "T"
               ? std::optional(transposed(std::move(*way)))
               : std::nullopt;
  }
  const auto *part = expr.as<syntax::Subscript>();
  std::optional<ArrayView> way = part ? wayOf(fn, *part->value) : std::nullopt;
  const std::vector<Axis *> open = way ? way->open() : std::vector<Axis *>();
  if (!way || open.size() + 1 < part->indices.size())
    return std::nullopt;
  size_t number = 0;
  for (const syntax::Index &index : part->indices) {
    if (index.isEllipsis) {
      number += open.size() + 1 - part->indices.size();
      continue;
    }
    if (number == open.size())
      return std::nullopt;
    Axis *axis = open[number++];
    if (!index.isSlice) {
      axis->fixed = axis->extent;
      continue;
    }
    std::optional<int64_t> step = literalStep(index.step.get());
    if (!step)
      return std::nullopt;
    if (index.lower || *step < 0)
      axis->lower = axis->extent;
    axis->step *= *step;
  }
  return way;
}

bool isTakenOtherwise(const FunctionLowering &fn, const ArrayView &view,
                      const syntax::Expr &value) {
  if (const auto *choice = value.as<syntax::Conditional>())
    return isTakenOtherwise(fn, view, *choice->value) ||
           isTakenOtherwise(fn, view, *choice->otherwise);
  std::optional<ArrayView> way = wayOf(fn, value);
  return way && way->open().size() == view.open().size() &&
         (way->order != view.order || way->readAs != view.readAs ||
          !llvm::equal(way->axes, view.axes, [](const Axis &a, const Axis &b) {
            return !a.fixed == !b.fixed && !a.lower == !b.lower &&
                   a.step == b.step;
          }));
}

/// The part of an array whose axes are ranges of another part's open axes.
static ArrayView partWithin(FunctionLowering &fn, ArrayView part,
                            const ArrayView &view, Span span) {
  SmallVector<unsigned> open;
  for (unsigned i = 0; i < part.axes.size(); ++i) {
    const unsigned axis = part.order.empty() ? i : part.order[i];
    if (!part.axes[axis].fixed)
      open.push_back(axis);
  }
  std::vector<unsigned> order;
  for (unsigned i = 0; i < view.axes.size(); ++i) {
    const unsigned number = view.order.empty() ? i : view.order[i];
    const Axis &range = view.axes[number];
    Axis &axis = part.axes[open[number]];
    order.push_back(open[number]);
    if (range.fixed) {
      axis.fixed = positionOn(fn, axis, range.fixed, span);
      continue;
    }
    if (range.lower)
      axis.lower = positionOn(fn, axis, range.lower, span);
    axis.step *= range.step;
    axis.extent = range.extent;
  }
  for (unsigned i = 0; i < part.axes.size(); ++i)
    if (!llvm::is_contained(order, i))
      order.push_back(i);
  part.order = std::move(order);
  part.name = view.name;
  part.declared = view.declared;
  part.writable = view.writable;
  part.readAs = view.readAs;
  part.storedAs = view.storedAs;
  return part;
}

std::vector<ArrayView> partsOf(FunctionLowering &fn, const ArrayView &view,
                               Span span) {
  if (!view.chosen)
    return {view};
  std::vector<ArrayView> parts;
  for (const ArrayView &part : view.chosen->parts)
    parts.push_back(partWithin(fn, part, view, span));
  if (!parts.empty())
    return parts;
  for (Value array : view.chosen->arrays) {
    ArrayView &one = parts.emplace_back(view);
    one.array = array;
    one.chosen.reset();
  }
  return parts;
}

/// Whether two parts of arrays differ in place alone.
static bool areTakenAlike(const ArrayView &a, const ArrayView &b) {
  auto axisAt = [](const ArrayView &view, unsigned i) {
    return view.order.empty() ? i : view.order[i];
  };
  if (a.array != b.array || a.axes.size() != b.axes.size())
    return false;
  SmallVector<unsigned> one, other; // the open axes in the views' order
  for (unsigned i = 0; i < a.axes.size(); ++i) {
    if (!a.axes[axisAt(a, i)].fixed)
      one.push_back(axisAt(a, i));
    if (!b.axes[axisAt(b, i)].fixed)
      other.push_back(axisAt(b, i));
  }
  return one == other && llvm::all_of(one, [&](unsigned axis) {
           return a.axes[axis].step == b.axes[axis].step;
         });
}

std::vector<ArrayView> partsOf(FunctionLowering &fn,
                               ArrayRef<const ArrayView *> views, Span span) {
  std::vector<ArrayView> all;
  for (const ArrayView *view : views)
    for (ArrayView &part : partsOf(fn, *view, span))
      if (llvm::none_of(all, [&](const ArrayView &other) {
            return areTakenAlike(part, other);
          }))
        all.push_back(std::move(part));
  return all;
}

/// Where a part lies: for each axis of its array an index, which is 0 for a
/// range from the beginning.
static SmallVector<Value> placeIn(FunctionLowering &fn, const ArrayView &part,
                                  Span span) {
  SmallVector<Value> place;
  for (const Axis &axis : part.axes) {
    const Value first = axis.fixed ? axis.fixed : axis.lower;
    place.push_back(first ? first
                          : fn.indexValue(fn.constantInt(0, span), span));
  }
  return place;
}

SmallVector<Number> placeAmong(FunctionLowering &fn, const ArrayView &view,
                               ArrayRef<ArrayView> parts, Span span) {
  const std::vector<ArrayView> own = partsOf(fn, view, span);
  // `then` if the view is its part `i`, else `otherwise`.
  auto choose = [&](size_t i, Value then, Value otherwise) {
    if (!view.chosen || !otherwise)
      return then;
    Value isThis =
        fn.applyValues(ScalarFunction::equal,
                       {view.chosen->number, arrayNumber(fn, i, span)}, span);
    return fn.applyValues(ScalarFunction::where, {isThis, then, otherwise},
                          span);
  };
  SmallVector<Number> place;
  Value number;
  for (auto [slot, part] : llvm::enumerate(parts)) {
    SmallVector<Value> at(part.axes.size());
    for (auto [i, one] : llvm::enumerate(own)) {
      if (!areTakenAlike(one, part))
        continue;
      for (auto [all, own] : llvm::zip(at, placeIn(fn, one, span)))
        all = choose(i, own, all);
      number = choose(i, arrayNumber(fn, slot, span), number);
    }
    for (Value first : at)
      place.push_back(
          {first ? first : fn.indexValue(fn.constantInt(0, span), span), {}});
  }
  place.push_back({number, {}});
  return place;
}

ArrayView withPlaceAmong(FunctionLowering &fn, const ArrayView &like,
                         std::vector<ArrayView> parts, ArrayRef<Value> place,
                         Span span) {
  ArrayView view{
      parts.front().array, like.name, like.declared, like.writable, {}};
  view.readAs = like.readAs;
  for (const Axis *axis : like.open())
    view.axes.push_back({nullptr, nullptr, axis->extent});
  view.chosen = ChosenArray{{}, place.back(), {}};
  for (ArrayView &part : parts) {
    for (Axis &axis : part.axes) {
      (axis.fixed ? axis.fixed : axis.lower) =
          fn.indexValue(place.front(), span);
      place = place.drop_front();
    }
    view.chosen->arrays.push_back(part.array);
    view.chosen->parts.push_back(std::move(part));
  }
  return view;
}

//===----------------------------------------------------------------------===//
// Numbers beside arrays
//===----------------------------------------------------------------------===//

/// A value of the type that a number and an array's elements have in common.
static Value typedLikeBoth(FunctionLowering &fn, const ArrayView &view,
                           Value number, Span span) {
  const unsigned rank = cast<ArrayType>(view.array.getType()).getRank();
  const SmallVector<Value> zeros(rank,
                                 fn.indexValue(fn.constantInt(0, span), span));
  Value element = view.readAs;
  if (!element)
    element = LoadOp::create(fn.builder, fn.loc(span),
                             OpenType::get(fn.builder.getContext()), view.array,
                             zeros);
  return fn.applyValues(
      ScalarFunction::where,
      {fn.materialize({nullptr, Constant{true}}, span), element, number}, span);
}

void fillNumbers(FunctionLowering &fn, MutableArrayRef<Binding> values,
                 ArrayRef<Block *> paths, Span span) {
  auto array = llvm::find_if(
      values, [](const Binding &value) { return value.as<ArrayView>(); });
  if (array == values.end())
    return;
  const ArrayView like = *array->as<ArrayView>();
  makeBefore(fn, like.arrays(), paths);
  if (!existAfter(like.arrays(), paths) ||
      llvm::any_of(like.open(), [](const Axis *axis) {
        return !isComparable(axis->extent);
      }))
    return;
  OpBuilder::InsertionGuard guard(fn.builder);
  for (auto [value, path] : llvm::zip(values, paths)) {
    const auto *number = value.as<Number>();
    if (!number)
      continue;
    fn.builder.setInsertionPointToEnd(path);
    SmallVector<Value> extents;
    for (const Axis *axis : like.open())
      extents.push_back(computedHere(fn, axis->extent));
    const Value one = fn.materialize(*number, span);
    std::optional<ArrayView> filled =
        localLike(fn, typedLikeBoth(fn, like, one, span), extents, span);
    assignPart(fn, *filled, Binding(*number), span, span);
    value = *filled;
  }
}

} // namespace kern::compiler

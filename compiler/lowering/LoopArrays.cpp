//===- LoopArrays.cpp - arrays that a loop binds again --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/LoopArrays.h"

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Twins.h"
#include "compiler/lowering/WholeArrays.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

bool isWholeLocal(const ArrayView &view) {
  return !view.chosen && view.order.empty() && !view.readAs &&
         view.array.getDefiningOp<LocalOp>() &&
         llvm::none_of(view.axes, [](const Axis &axis) {
           return axis.fixed || axis.lower || axis.step != 1;
         });
}

/// How many names reach elements of an array through this binding.
static size_t uses(const Binding &binding, Value array) {
  if (const auto *view = binding.as<ArrayView>())
    return llvm::is_contained(view->arrays(), array);
  size_t count = 0;
  if (const auto *tuple = binding.as<Tuple>())
    for (const Binding &element : tuple->elements())
      count += uses(element, array);
  return count;
}

size_t namesReaching(const FunctionLowering &fn, Value array) {
  size_t count = 0;
  for (const Frame *frame = fn.frame; frame; frame = frame->caller())
    for (const auto &[name, binding] : frame->env)
      count += uses(binding, array);
  return count;
}

static const ArrayView *arrayNamed(FunctionLowering &fn,
                                   const std::string &name) {
  auto found = fn.env().find(name);
  return found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
}

static SmallVector<Value> extentsOf(const ArrayView &view) {
  SmallVector<Value> extents;
  for (const Axis *axis : view.open())
    extents.push_back(axis->extent);
  return extents;
}

/// Whether two views are known to have different shapes.
static bool areOtherShapes(const ArrayView &a, const ArrayView &b) {
  const SmallVector<Value> one = extentsOf(a), other = extentsOf(b);
  return one.size() != other.size() ||
         llvm::any_of(llvm::zip(one, other), [](auto pair) {
           return areDifferent(std::get<0>(pair), std::get<1>(pair));
         });
}

static Value firstElement(FunctionLowering &fn, const ArrayView &view,
                          Span span) {
  const SmallVector<Value> zeros(view.open().size(),
                                 fn.indexValue(fn.constantInt(0, span), span));
  return load(fn, elementOf(fn, view, zeros, span), span);
}

/// A new local array with the elements of a view; nothing if no call decides
/// its extents.
static std::optional<ArrayView> copyOf(FunctionLowering &fn,
                                       const ArrayView &view, Span span) {
  const SmallVector<Value> extents = extentsOf(view);
  if (llvm::any_of(extents, [](Value extent) {
        return !isShapeValue(extent) || isLargeShape(extent);
      }))
    return std::nullopt;
  std::optional<ArrayView> copy =
      localLike(fn, firstElement(fn, view, span), extents, span);
  copy->name = view.name;
  copy->declared = view.declared;
  copy->array.getDefiningOp<LocalOp>().setName(view.name);
  MovingElements own(fn);
  assignPart(fn, *copy, Binding(view), span, span);
  return copy;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

LoopArrays::LoopArrays(FunctionLowering &fn, const std::set<std::string> &names,
                       Span span) {
  for (const std::string &name : names) {
    const ArrayView *view = arrayNamed(fn, name);
    if (!view || isWrittenOperand(fn, name))
      continue;
    if (isWholeLocal(*view) && namesReaching(fn, view->array) == 1) {
      places.push_back({name, *view});
      continue;
    }
    ArrayMove move{name, nullptr, view->arrays().vec(),
                   otherNameOf(fn, name, *view)};
    std::optional<ArrayView> place = copyOf(fn, *view, span);
    if (!place)
      continue;
    move.to = place->array;
    fn.env().insert_or_assign(name, Binding(*place));
    places.push_back({name, *place});
    noteMoves(fn, {move}, ArrayMoves::BeforeLoop, span);
  }
}

const ArrayView *LoopArrays::placeOf(const std::string &name) const {
  auto found = llvm::find_if(
      places, [&](const Place &place) { return place.name == name; });
  return found == places.end() ? nullptr : &found->array;
}

std::optional<unsigned> LoopArrays::iterationsLeft(FunctionLowering &fn) const {
  constexpr unsigned most = 4;
  auto placeOfArray = [&](const ArrayView &view) {
    return llvm::find_if(places,
                         [&](const Place &place) {
                           return isSame(Binding(place.array), Binding(view));
                         }) -
           places.begin();
  };
  // Where each place's name was before the iteration.
  SmallVector<size_t> from;
  for (const Place &place : places) {
    const ArrayView *now = arrayNamed(fn, place.name);
    if (!now || areOtherShapes(place.array, *now))
      return std::nullopt;
    from.push_back(size_t(placeOfArray(*now)));
  }
  if (llvm::is_contained(from, places.size())) {
    // An array of the iteration: the next one may have the place, which this
    // one's names needed.
    return 1;
  }
  SmallVector<size_t> at = from;
  for (unsigned left = 0; left < most; ++left) {
    if (llvm::all_of(llvm::enumerate(at),
                     [](auto each) { return each.index() == each.value(); }))
      return left;
    for (size_t &each : at)
      each = from[each];
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

namespace {
struct Move {
  std::string name;
  ArrayView to, from;
};
} // namespace

/// Whether a view may take the place: it has the same shape, which calls check.
static bool canMove(FunctionLowering &fn, const Move &move, Span span) {
  if (areOtherShapes(move.to, move.from))
    return false;
  const SmallVector<Value> to = extentsOf(move.to), from = extentsOf(move.from);
  return llvm::all_of(llvm::zip(to, from), [&](auto pair) {
    return checkSameExtent(fn, move.name, std::get<0>(pair), std::get<1>(pair),
                           span);
  });
}

/// All elements at the same indices, read before they are written.
static void moveTogether(FunctionLowering &fn, ArrayRef<Move> moves,
                         Span span) {
  forEachIndex(
      fn, extentsOf(moves.front().to),
      [&](ArrayRef<Value> at) {
        SmallVector<Value> values;
        for (const Move &move : moves)
          values.push_back(load(fn, elementOf(fn, move.from, at, span), span));
        for (auto [move, value] : llvm::zip(moves, values))
          store(fn, value, elementOf(fn, move.to, at, span), span);
      },
      span);
}

/// What a name is bound to, with copies of the arrays to which others move.
static Binding keptFrom(FunctionLowering &fn, const std::string &name,
                        const Binding &binding, ArrayRef<Move> moves,
                        std::vector<ArrayMove> &noted, Span span) {
  if (const auto *tuple = binding.as<Tuple>()) {
    std::vector<Binding> elements;
    for (const Binding &element : tuple->elements())
      elements.push_back(keptFrom(fn, name, element, moves, noted, span));
    return Tuple(std::move(elements));
  }
  const auto *view = binding.as<ArrayView>();
  if (!view || llvm::none_of(moves, [&](const Move &move) {
        return mayShareArray(move.to, *view);
      }))
    return binding;
  std::optional<ArrayView> copy = copyOf(fn, *view, span);
  if (!copy) {
    fn.error(Diag::local_array_shape, span);
    return Poisoned{Poisoned::Failed, span};
  }
  noted.push_back(
      {name, copy->array, view->arrays().vec(), otherNameOf(fn, name, *view)});
  return *copy;
}

void LoopArrays::settle(FunctionLowering &fn, IsRead isRead, Span span) const {
  std::vector<Move> moves;
  for (const Place &place : places)
    if (const ArrayView *now = arrayNamed(fn, place.name);
        now && !isSame(Binding(place.array), Binding(*now))) {
      Move move{place.name, place.array, *now};
      if (canMove(fn, move, span))
        moves.push_back(std::move(move));
    }
  if (moves.empty())
    return;
  std::vector<ArrayMove> noted;
  for (const Move &move : moves)
    noted.push_back({move.name, move.to.array, move.from.arrays().vec(),
                     otherNameOf(fn, move.name, move.from)});
  for (const auto &[name, binding] : Environment(fn.env()))
    if (!owns(name) && isRead(name))
      fn.env().insert_or_assign(
          name, keptFrom(fn, name, binding, moves, noted, span));
  for (const Move &move : moves)
    SameTypeOp::create(fn.builder, fn.loc(span), move.to.array,
                       firstElement(fn, move.from, span), move.name);
  auto isWritten = [&](const Move &move) {
    return llvm::any_of(moves, [&](const Move &other) {
      return mayShareArray(move.from, other.to);
    });
  };
  const bool isExchange = llvm::all_of(moves, [&](const Move &move) {
    return isWholeLocal(move.from) &&
           llvm::equal(extentsOf(move.to), extentsOf(moves.front().to),
                       isSameExtent);
  });
  if (isExchange && llvm::any_of(moves, isWritten)) {
    MovingElements own(fn);
    moveTogether(fn, moves, span);
  } else {
    MovingElements own(fn);
    for (Move &move : moves)
      if (isWritten(move))
        if (std::optional<ArrayView> copy = copyOf(fn, move.from, span))
          move.from = *copy;
    for (const Move &move : moves)
      assignPart(fn, move.to, Binding(move.from), span, span);
  }
  for (const Move &move : moves)
    fn.env().insert_or_assign(move.name, Binding(move.to));
  noteMoves(fn, std::move(noted), ArrayMoves::InLoop, span);
}

void LoopArrays::settle(FunctionLowering &fn, std::vector<Edge> &paths,
                        IsRead isRead, Span span) const {
  if (places.empty())
    return;
  OpBuilder::InsertionGuard guard(fn.builder);
  for (Edge &path : paths) {
    std::swap(fn.env(), path.env);
    fn.builder.setInsertionPointToEnd(path.block);
    settle(fn, isRead, span);
    path.block = fn.builder.getInsertionBlock();
    std::swap(fn.env(), path.env);
  }
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

bool storeToPlace(FunctionLowering &fn, const syntax::Expr &target,
                  const syntax::Expr &value) {
  const auto *name = target.as<syntax::Name>();
  const LoopArrays *arrays =
      fn.frame->loops.empty() ? nullptr : fn.frame->loops.back().arrays;
  const ArrayView *place =
      name && arrays ? arrays->placeOf(name->name) : nullptr;
  const ArrayView *now = place ? arrayNamed(fn, name->name) : nullptr;
  if (!now || value.as<syntax::Conditional>() ||
      namesReaching(fn, place->array) !=
          size_t(llvm::is_contained(now->arrays(), place->array)))
    return false;
  const ArrayView own = *place;
  const Span span = value.span;
  std::optional<ArrayExpression> elements = ArrayExpression::of(fn, value);
  std::optional<SmallVector<Value>> extents;
  if (elements)
    extents = elements->extents(fn);
  if (!extents) {
    assign(fn, target, Binding(Poisoned{Poisoned::Failed, span}), span);
    return true;
  }
  const SmallVector<Value> wanted = extentsOf(own);
  if (extents->size() != wanted.size() ||
      llvm::any_of(llvm::zip(*extents, wanted), [](auto pair) {
        return areDifferent(std::get<0>(pair), std::get<1>(pair));
      }))
    return false;
  if (!elements->fit(fn, name->name, wanted))
    return true;
  const SmallVector<Value> zeros(wanted.size(),
                                 fn.indexValue(fn.constantInt(0, span), span));
  ArrayMove move{name->name, own.array};
  if (std::optional<Number> first = elements->at(fn, zeros)) {
    SameTypeOp::create(fn.builder, fn.loc(span), own.array,
                       fn.materialize(*first, span), name->name);
    move.from = arraysGiven(fn, value, *first);
  }
  {
    MovingElements filling(fn, own.array);
    storeElements(fn, own, *elements, span, span);
  }
  noteMoves(fn, {move}, ArrayMoves::Call, span);
  assign(fn, target, Binding(own), span);
  return true;
}

} // namespace kern::compiler

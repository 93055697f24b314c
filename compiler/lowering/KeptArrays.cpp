//===- KeptArrays.cpp - expressions of arrays that are kept ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/Twins.h"
#include "compiler/lowering/WholeArrays.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// The first element, for its type.
static std::optional<Number> firstOf(FunctionLowering &fn,
                                     const ArrayExpression &value, size_t rank,
                                     Span span) {
  SmallVector<Value> zeros(rank, fn.indexValue(fn.constantInt(0, span), span));
  return value.at(fn, zeros);
}

static std::optional<ArrayView> namedLocal(FunctionLowering &fn, Value like,
                                           ArrayRef<Value> extents,
                                           const std::string &name, Span span) {
  std::optional<ArrayView> made = localLike(fn, like, extents, span);
  if (!made) {
    fn.error(Diag::local_array_shape, span);
    return std::nullopt;
  }
  made->name = name;
  if (!name.empty())
    made->array.getDefiningOp<LocalOp>().setName(name);
  return made;
}

Value computedHere(FunctionLowering &fn, Value size) {
  Operation *op = size.getDefiningOp();
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, computedHere(fn, operand));
  return fn.builder.clone(*op, operands)->getResult(0);
}

/// Notes that a new array may be another one in Python.
static void noteGiven(FunctionLowering &fn, const ArrayView &made,
                      std::vector<Value> arrays, Span span) {
  if (!arrays.empty())
    noteMoves(fn, {{made.name, made.array, std::move(arrays)}},
              ArrayMoves::Call, span);
}

/// An array of the type and shape that both paths agree on.
static std::optional<ArrayView> keepChosen(FunctionLowering &fn,
                                           const syntax::Conditional &choice,
                                           const std::string &name, Span span) {
  Value condition = fn.lowerCondition(*choice.condition);
  if (!condition)
    return std::nullopt;
  SmallVector<SmallVector<Value>> shapes;
  std::vector<Value> given;
  bool failed = false;
  Binding first = onBranches(
      fn, condition, choice,
      [&](const syntax::Expr &expr) -> Binding {
        std::optional<ArrayExpression> value = ArrayExpression::of(fn, expr);
        std::optional<SmallVector<Value>> extents;
        if (value && (!value->views().empty() || value->isScattered()))
          extents = value->extents(fn);
        std::optional<Number> number;
        if (value && (extents || Ranks(fn).of(expr) == 0))
          number = firstOf(fn, *value, extents ? extents->size() : 0, span);
        if (number)
          llvm::append_range(given, arraysGiven(fn, expr, *number));
        if (extents)
          shapes.push_back(*extents);
        failed |= !number;
        return number ? Binding(*number)
                      : Binding(Poisoned{Poisoned::Failed, span});
      },
      span);
  if (failed)
    return std::nullopt;
  // The array has the fewer dimensions, so that the other value is refused.
  if (shapes.front().size() > shapes.back().size())
    std::swap(shapes.front(), shapes.back());
  for (SmallVector<Value> &shape : shapes)
    for (Value &extent : shape) {
      if (!isShapeValue(extent)) {
        fn.error(Diag::local_array_shape, span);
        return std::nullopt;
      }
      extent = computedHere(fn, extent);
    }
  for (auto [one, other] : llvm::zip(shapes.front(), shapes.back()))
    if (!checkSameExtent(fn,
                         name.empty() ? textAt(fn, choice.value->span) : name,
                         one, other, choice.otherwise->span))
      return std::nullopt;
  std::optional<ArrayView> made =
      namedLocal(fn, fn.materialize(*first.as<Number>(), span), shapes.front(),
                 name, span);
  if (made)
    onBranches(
        fn, condition, choice,
        [&](const syntax::Expr &expr) {
          storeExpression(fn, *made, expr, span);
          return NoValue();
        },
        span);
  if (made)
    noteGiven(fn, *made, std::move(given), span);
  return made;
}

std::optional<ArrayView> keepElements(FunctionLowering &fn,
                                      ArrayExpression &value,
                                      const std::string &name, Span span) {
  std::optional<SmallVector<Value>> extents = value.extents(fn);
  if (!extents)
    return std::nullopt;
  std::optional<Number> first = firstOf(fn, value, extents->size(), span);
  if (!first)
    return std::nullopt;
  std::optional<ArrayView> made =
      namedLocal(fn, fn.materialize(*first, span), *extents, name, span);
  if (!made)
    return made;
  storeElements(fn, *made, value, span, span);
  noteGiven(fn, *made, arraysGiven(fn, value.expression(), *first), span);
  return made;
}

std::optional<ArrayView> keepExpression(FunctionLowering &fn,
                                        const syntax::Expr &expr,
                                        const std::string &name) {
  const Span span = expr.span;
  if (const auto *choice = expr.as<syntax::Conditional>())
    return keepChosen(fn, *choice, name, span);
  std::optional<ArrayExpression> value = ArrayExpression::of(fn, expr);
  return value ? keepElements(fn, *value, name, span) : std::nullopt;
}

bool namesArray(FunctionLowering &fn, const syntax::Expr &expr) {
  if (const auto *choice = expr.as<syntax::Conditional>())
    return namesArray(fn, *choice->value) || namesArray(fn, *choice->otherwise);
  return !expr.as<syntax::Call>() && Ranks(fn).isPlain(expr) &&
         Ranks(fn).of(expr) > 0;
}

Binding lowerNamedOrNew(FunctionLowering &fn, const syntax::Conditional &choice,
                        Span span) {
  const Poisoned failed{Poisoned::Failed, span};
  Value condition = fn.lowerCondition(*choice.condition);
  if (!condition)
    return failed;
  Binding result = onBranches(
      fn, condition, choice,
      [&](const syntax::Expr &expr) {
        const auto *inner = expr.as<syntax::Conditional>();
        if (inner && namesArray(fn, expr))
          return lowerNamedOrNew(fn, *inner, expr.span);
        std::optional<Binding> value = lowerWhole(fn, expr);
        return value ? *value : Binding(failed);
      },
      span);
  const auto *poisoned = result.as<Poisoned>();
  if (!poisoned || poisoned->reason != Poisoned::Conflict)
    return result;
  reportConflict(fn, "the value", *poisoned, span);
  return failed;
}

std::optional<Binding> lowerWhole(FunctionLowering &fn,
                                  const syntax::Expr &expr) {
  const auto *choice = expr.as<syntax::Conditional>();
  const bool isCopied =
      choice && Ranks(fn).of(expr) > 0 && !Ranks(fn).isChoice(*choice);
  if (!isCopied && !ArrayExpression::isOne(fn, expr))
    return fn.lowerExpr(expr);
  std::optional<ArrayView> kept = keepExpression(fn, expr, "");
  return kept ? std::optional<Binding>(*kept) : std::nullopt;
}

} // namespace kern::compiler

//===- ArrayReturns.cpp - arrays that are returned ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Inlining.h"
#include "compiler/lowering/Joins.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/WholeArrays.h"
#include "compiler/modules/Visit.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using syntax::Expr;

/// Ends the path, of a function whose array results are stored, with the values
/// of the others.
static void endWith(FunctionLowering &fn, ArrayRef<Number> numbers, Span span) {
  if (fn.frame->call) {
    std::vector<Binding> all(numbers.begin(), numbers.end());
    const bool isTuple = all.size() > 1;
    return returnInlined(fn,
                         all.empty() ? Binding(NoValue())
                         : isTuple   ? Binding(Tuple(std::move(all)))
                                     : all.front(),
                         /*isExplicit=*/!numbers.empty(), span);
  }
  SmallVector<Value> values;
  for (const Number &number : numbers)
    values.push_back(fn.materialize(number, span));
  ReturnOp::create(fn.builder, fn.loc(span), values);
  fn.builder.clearInsertionPoint();
}

/// The array that a name in the body means; null for another expression.
static const ArrayView *arrayNamed(FunctionLowering &fn, const Expr &expr) {
  const auto *name = expr.as<syntax::Name>();
  auto found = name ? fn.env().find(name->name) : fn.env().end();
  return found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
}

namespace {
/// A value that is returned for one result.
struct Returned {
  const Expr *value;
  std::optional<ArrayView> target; ///< of an array result
  std::optional<ArrayView> kept{}; ///< the value, where stores would change it
};
} // namespace

/// The array that a result is; nothing for a number.
static const ArrayView *resultArray(FunctionLowering &fn, size_t index) {
  const auto &results = fn.frame->function.results;
  const syntax::Result &result = results[index];
  const std::string unnamed =
      results.size() == 1 ? "out" : "out" + std::to_string(index + 1);
  auto found = fn.env().find(result.name ? result.name->name : unnamed);
  return found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
}

/// The values of a `return` for each result; nothing if they are none of arrays
/// and numbers as the header has them.
static std::optional<SmallVector<Returned, 2>> returnedBy(FunctionLowering &fn,
                                                          const Expr &value) {
  const syntax::Function &function = fn.frame->function;
  const auto *tuple = value.as<syntax::Tuple>();
  SmallVector<const Expr *> values = {&value};
  if (tuple) {
    values.clear();
    for (const syntax::ExprPtr &element : tuple->elements)
      values.push_back(element.get());
  }
  if (values.size() != function.results.size())
    return std::nullopt;
  SmallVector<Returned, 2> all;
  bool hasArray = false;
  for (auto [index, result] : llvm::enumerate(function.results)) {
    const ArrayView *array = resultArray(fn, index);
    const size_t rank = Ranks(fn).of(*values[index]);
    if (rank != (array ? array->open().size() : 0) ||
        result.type.isArray != (array != nullptr))
      return std::nullopt;
    hasArray |= array != nullptr;
    all.push_back(
        {values[index], array ? std::optional(*array) : std::nullopt});
  }
  return hasArray ? std::optional(std::move(all)) : std::nullopt;
}

/// Whether an expression names an array that is stored for a result.
static bool readsResult(FunctionLowering &fn, const Expr &expr,
                        ArrayRef<Returned> all) {
  const ArrayView *array = arrayNamed(fn, expr);
  bool reads = array && llvm::any_of(all, [&](const Returned &each) {
                 return each.target && mayShareArray(*array, *each.target);
               });
  visitParts(expr, [&](const Expr &part) {
    reads = reads || readsResult(fn, part, all);
  });
  return reads;
}

static bool lowerResults(FunctionLowering &fn, const Expr &value, Span span) {
  auto all = returnedBy(fn, value);
  if (!all)
    return false;
  auto isItself = [&](const Returned &each) {
    const ArrayView *own = arrayNamed(fn, *each.value);
    return own && isSame(*own, *each.target);
  };
  // All values are as before the first store.
  SmallVector<Number> numbers;
  bool failed = false;
  for (Returned &each : *all) {
    if (!each.target) {
      std::optional<Number> number = fn.lowerScalar(*each.value);
      failed |= !number;
      if (number)
        numbers.push_back(*number);
    } else if (all->size() > 1 && !isItself(each) &&
               readsResult(fn, *each.value, *all)) {
      each.kept = keepExpression(fn, *each.value, "");
      failed |= !each.kept;
    }
  }
  for (const Returned &each : *all)
    if (each.kept)
      assignPart(fn, *each.target, Binding(*each.kept), each.value->span,
                 each.value->span);
    else if (!failed && each.target && !isItself(each))
      storeExpression(fn, *each.target, *each.value, each.value->span);
  if (failed) {
    fn.failed = true;
    fn.builder.clearInsertionPoint();
    return true;
  }
  endWith(fn, numbers, span);
  return true;
}

bool storeReturned(FunctionLowering &fn, const Binding &value, const Expr &expr,
                   Span span) {
  const syntax::Function &function = fn.frame->function;
  const auto *tuple = value.as<Tuple>();
  if (function.kind == syntax::ItemKind::Def || !tuple ||
      tuple->elements().size() != function.results.size())
    return false;
  SmallVector<ArrayView> targets;
  SmallVector<Binding> values;
  SmallVector<Number> numbers;
  for (auto [index, element] : llvm::enumerate(tuple->elements())) {
    const ArrayView *array = resultArray(fn, index);
    const auto *view = element.as<ArrayView>();
    const auto *number = element.as<Number>();
    if (array ? !view || view->open().size() != array->open().size() : !number)
      return false;
    if (array) {
      targets.push_back(*array);
      values.push_back(element);
    } else {
      numbers.push_back(*number);
    }
  }
  if (targets.empty())
    return false;
  // All values are as before the first store.
  for (auto [target, given] : llvm::zip(targets, values)) {
    const auto &view = *given.as<ArrayView>();
    const bool isRead = llvm::any_of(targets, [&](const ArrayView &other) {
      return mayShareArray(view, other);
    });
    if (!isRead || isSame(target, given))
      continue;
    ArrayExpression elements = ArrayExpression::ofView(expr, view);
    std::optional<ArrayView> kept = keepElements(fn, elements, "", span);
    if (!kept) {
      fn.builder.clearInsertionPoint();
      return true;
    }
    given = *kept;
  }
  for (auto [target, given] : llvm::zip(targets, values))
    if (!isSame(target, given))
      assignPart(fn, target, given, expr.span, expr.span);
  endWith(fn, numbers, span);
  return true;
}

bool lowerArrayReturn(FunctionLowering &fn, const Expr &value, Span span) {
  if (fn.frame->function.kind != syntax::ItemKind::Def)
    return lowerResults(fn, value, span);
  if (!ArrayExpression::isOne(fn, value))
    return false;
  std::optional<ArrayView> kept = keepExpression(fn, value, "");
  returnInlined(fn, kept ? std::optional<Binding>(*kept) : std::nullopt,
                /*isExplicit=*/true, span);
  return true;
}

} // namespace kern::compiler

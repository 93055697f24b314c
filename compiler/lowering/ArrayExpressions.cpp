//===- ArrayExpressions.cpp - arithmetic on whole arrays ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/ComputedArrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Inlining.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/WholeArrays.h"
#include "compiler/modules/Names.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using syntax::Expr;

bool ArrayExpression::isOne(FunctionLowering &fn, const Expr &expr) {
  Ranks ranks(fn);
  return !ranks.isPlain(expr) && ranks.of(expr) > 0;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool ArrayExpression::prepare(FunctionLowering &fn, const Expr &expr) {
  Ranks ranks(fn);
  if (ranks.isPlain(expr) || ranks.computing(expr) ||
      expr.as<syntax::Conditional>() || ranks.of(expr) == 0) {
    std::optional<Binding> value = expr.as<syntax::Conditional>()
                                       ? lowerWhole(fn, expr)
                                       : fn.lowerExpr(expr);
    if (!value)
      return false;
    if (!value->as<ArrayView>()) {
      std::optional<Number> number = fn.scalarOf(*value, expr.span);
      if (!number)
        return false;
      value = Binding(*number);
    }
    auto entry = operands.insert_or_assign(&expr, Operand{*value, {}}).first;
    if (const auto *view = entry->second.value.as<ArrayView>())
      arrays.push_back(view);
    return true;
  }
  if (const auto *unary = expr.as<syntax::Unary>())
    return prepare(fn, *unary->operand);
  if (const auto *binary = expr.as<syntax::Binary>())
    return prepare(fn, *binary->left) && prepare(fn, *binary->right);
  if (const auto *compare = expr.as<syntax::Compare>())
    return prepare(fn, *compare->first) &&
           prepare(fn, *compare->rest.front().second);
  const auto &call = *expr.as<syntax::Call>();
  if (const Expr *viewed = methodOperand(fn, call))
    return prepare(fn, *viewed);
  return llvm::all_of(call.arguments,
                      [&](const auto &each) { return prepare(fn, *each); }) &&
         llvm::all_of(call.keywords, [&](const auto &each) {
           return prepare(fn, *each.second);
         });
}

std::optional<ArrayExpression> ArrayExpression::of(FunctionLowering &fn,
                                                   const Expr &expr) {
  Ranks ranks(fn);
  if (!ranks.computing(expr) || ranks.of(expr) == 0)
    return ofElements(fn, expr);
  std::optional<ArrayExpression> result(std::in_place);
  result->computed = ComputedArray::of(fn, expr);
  if (!result->computed)
    return std::nullopt;
  result->root = &expr;
  result->arrays = result->computed->views();
  return result;
}

std::optional<ArrayExpression> ArrayExpression::ofElements(FunctionLowering &fn,
                                                           const Expr &expr) {
  std::optional<ArrayExpression> result(std::in_place);
  result->root = &expr;
  if (!result->prepare(fn, expr))
    return std::nullopt;
  return result;
}

ArrayExpression ArrayExpression::ofView(const Expr &expr,
                                        const ArrayView &view) {
  ArrayExpression result;
  result.root = &expr;
  auto entry = result.operands.emplace(&expr, Operand{Binding(view), {}}).first;
  result.arrays.push_back(entry->second.value.as<ArrayView>());
  return result;
}

bool ArrayExpression::fitComputed(FunctionLowering &fn, const std::string &name,
                                  ArrayRef<Value> extents) {
  ArrayRef<Value> own = computed->extents();
  if (own.size() > extents.size()) {
    fn.error(Diag::too_many_dimensions, root->span,
             {"this", runtime::counted(own.size(), "dimension"), name,
              runtime::counted(extents.size(), "dimension")});
    return false;
  }
  computedRepeats.clear();
  for (auto [extent, wanted] : llvm::zip(own, extents.take_back(own.size()))) {
    computedRepeats.push_back(knownInteger(extent) == 1);
    if (!computedRepeats.back() &&
        !checkSameExtent(fn, name, wanted, extent, root->span))
      return false;
  }
  return true;
}

bool ArrayExpression::fit(FunctionLowering &fn, const std::string &name,
                          ArrayRef<Value> extents) {
  if (computed)
    return fitComputed(fn, name, extents);
  for (auto &[expr, operand] : operands) {
    const auto *view = operand.value.as<ArrayView>();
    if (!view)
      continue;
    auto axes = view->open();
    if (axes.size() > extents.size()) {
      fn.error(Diag::too_many_dimensions, expr->span,
               {view->name, runtime::counted(axes.size(), "dimension"), name,
                runtime::counted(extents.size(), "dimension")});
      return false;
    }
    operand.repeats.clear();
    for (auto [axis, extent] :
         llvm::zip(axes, extents.take_back(axes.size()))) {
      operand.repeats.push_back(knownInteger(axis->extent) == 1);
      if (!operand.repeats.back() &&
          !checkSameExtent(fn, name, extent, axis->extent, expr->span))
        return false;
    }
  }
  return true;
}

std::optional<SmallVector<Value>>
ArrayExpression::extents(FunctionLowering &fn) {
  if (computed) {
    SmallVector<Value> own(computed->extents());
    computedRepeats.assign(own.size(), false);
    return own;
  }
  size_t rank = 0;
  for (const ArrayView *view : arrays)
    rank = std::max(rank, view->open().size());
  SmallVector<Value> result(rank);
  for (const ArrayView *view : arrays) {
    const std::vector<const Axis *> axes = view->open();
    auto last = MutableArrayRef(result).take_back(axes.size());
    for (auto [axis, extent] : llvm::zip(axes, last))
      if (!extent || knownInteger(extent) == 1)
        extent = axis->extent;
  }
  if (!fit(fn, arrays.front()->name, result))
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<Number> ArrayExpression::at(FunctionLowering &fn,
                                          ArrayRef<Value> indices) const {
  if (!computed)
    return at(fn, *root, indices);
  SmallVector<Value> own;
  for (auto [index, repeats] :
       llvm::zip(indices.take_back(computedRepeats.size()), computedRepeats))
    own.push_back(repeats
                      ? fn.indexValue(fn.constantInt(0, root->span), root->span)
                      : index);
  return computed->at(fn, own);
}

std::optional<Number> ArrayExpression::at(FunctionLowering &fn,
                                          const Expr &expr,
                                          ArrayRef<Value> indices) const {
  const Span span = expr.span;
  if (auto found = operands.find(&expr); found != operands.end()) {
    const Operand &operand = found->second;
    const auto *view = operand.value.as<ArrayView>();
    if (!view)
      return *operand.value.as<Number>();
    SmallVector<Value> own;
    for (auto [index, repeats] :
         llvm::zip(indices.take_back(operand.repeats.size()), operand.repeats))
      own.push_back(repeats ? fn.indexValue(fn.constantInt(0, span), span)
                            : index);
    return Number{load(fn, elementOf(fn, *view, own, span), span), {}};
  }
  auto both = [&](ScalarFunction function, const Expr &one,
                  const Expr &other) -> std::optional<Number> {
    std::optional<Number> left = at(fn, one, indices);
    std::optional<Number> right = at(fn, other, indices);
    if (!left || !right)
      return std::nullopt;
    return fn.apply(function, {*left, *right}, span);
  };
  if (const auto *unary = expr.as<syntax::Unary>()) {
    std::optional<Number> value = at(fn, *unary->operand, indices);
    if (!value)
      return std::nullopt;
    return fn.apply(functionOf(unary->op), {*value}, span);
  }
  if (const auto *binary = expr.as<syntax::Binary>())
    return both(functionOf(binary->op), *binary->left, *binary->right);
  if (const auto *compare = expr.as<syntax::Compare>())
    return both(functionOf(compare->rest.front().first), *compare->first,
                *compare->rest.front().second);
  const auto &call = *expr.as<syntax::Call>();
  std::optional<Binding> result =
      onFunction(fn, *call.function, span, [&]() -> std::optional<Binding> {
        std::optional<Number> one = callAt(fn, call, span, indices);
        return one ? std::optional<Binding>(*one) : std::nullopt;
      });
  return result ? std::optional(*result->as<Number>()) : std::nullopt;
}

std::optional<Number> ArrayExpression::callAt(FunctionLowering &fn,
                                              const syntax::Call &call,
                                              Span span,
                                              ArrayRef<Value> indices) const {
  if (const Expr *viewed = methodOperand(fn, call)) {
    std::optional<Number> value = at(fn, *viewed, indices);
    return value ? lowerMethod(fn, call, *value, span) : std::nullopt;
  }
  std::optional<Callee> callee = calleeOf(fn, *call.function);
  if (!callee)
    return std::nullopt;
  const size_t count = call.arguments.size() + call.keywords.size();
  const bool isNumber = callee->name == "max" || callee->name == "min";
  const ScalarFunctionInfo *row =
      scalarFunctionNamed(!isNumber               ? callee->name
                          : callee->name == "max" ? StringRef("maximum")
                                                  : StringRef("minimum"));
  const bool isRow = row && (row->inputs == count || takesMore(row->function));
  const std::optional<TypeName> type =
      callee->function ? std::nullopt : typeNamed(fn, callee->name, true);
  if (!callee->function && !isRow && !type)
    for (const ScopedFunction &each : fn.scope().libraryFunctions(callee->name))
      if (each.function->parameters.size() == count)
        callee->function = each;
  SmallVector<const Expr *> given;
  if (callee->function) {
    auto matched = matchArguments(fn, *callee->function->function, call, span);
    if (!matched)
      return std::nullopt;
    given = *matched;
  } else if (!call.keywords.empty()) {
    fn.error(Diag::keyword_argument, call.keywords[0].first.span,
             {callee->name.str(), call.keywords[0].first.name});
    return std::nullopt;
  } else {
    for (const syntax::ExprPtr &argument : call.arguments)
      given.push_back(argument.get());
  }
  SmallVector<Number> values;
  SmallVector<Binding> bindings;
  SmallVector<Span> places;
  for (auto [index, argument] : llvm::enumerate(given)) {
    if (!argument) {
      const auto &parameter = callee->function->function->parameters[index];
      std::optional<Binding> value =
          lowerDefault(fn, parameter, *callee->function);
      if (!value)
        return std::nullopt;
      bindings.push_back(*value);
      places.push_back(span);
      continue;
    }
    std::optional<Number> value = at(fn, *argument, indices);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
    bindings.push_back(*value);
    places.push_back(argument->span);
  }
  if (callee->function) {
    std::optional<Binding> result =
        inlineWith(fn, *callee->function, {bindings, places}, span);
    return result ? fn.scalarOf(*result, span) : std::nullopt;
  }
  if (type && count == 1)
    return fn.convert(values.front(), *type, CastMode::Explicit, span);
  return fn.applyChained(row->function, values, span);
}

} // namespace kern::compiler

//===- ArrayExpressions.cpp - arithmetic on whole arrays ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"

#include "compiler/dependence/Counting.h"
#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/ComputedArrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Inlining.h"
#include "compiler/lowering/Loops.h"
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

SmallVector<Value> ArrayExpression::Operand::extents() const {
  if (computed)
    return SmallVector<Value>(computed->extents());
  SmallVector<Value> all;
  if (const auto *view = value.as<ArrayView>())
    for (const Axis *axis : view->open())
      all.push_back(axis->extent);
  return all;
}

SmallVector<Value> ArrayExpression::Operand::indices(FunctionLowering &fn,
                                                     ArrayRef<Value> all,
                                                     Span span) const {
  SmallVector<Value> own;
  for (auto [index, isRepeated] :
       llvm::zip(all.take_back(repeats.size()), repeats))
    own.push_back(isRepeated ? fn.indexValue(fn.constantInt(0, span), span)
                             : index);
  return own;
}

void ArrayExpression::add(const Expr &expr, Operand operand) {
  if (operand.computed || operand.value.as<ArrayView>())
    arrays.push_back(&expr);
  operands.insert_or_assign(&expr, std::move(operand));
}

SmallVector<const ArrayView *> ArrayExpression::views() const {
  SmallVector<const ArrayView *> all;
  for (const Expr *expr : arrays) {
    const Operand &operand = operands.at(expr);
    if (operand.computed)
      llvm::append_range(all, operand.computed->views());
    else
      all.push_back(operand.value.as<ArrayView>());
  }
  return all;
}

bool ArrayExpression::isScattered() const {
  return llvm::any_of(arrays, [&](const Expr *expr) {
    return operands.at(expr).computed != nullptr;
  });
}

bool ArrayExpression::prepare(FunctionLowering &fn, const Expr &expr,
                              bool isOnce) {
  Ranks ranks(fn);
  if (ranks.computing(expr) && ranks.of(expr) > 0) {
    std::shared_ptr<ComputedArray> computed = ComputedArray::of(fn, expr);
    if (!computed)
      return false;
    const bool isKept = !isOnce && computed->isCostly();
    Operand operand{Binding(NoValue()), std::move(computed), {}};
    if (isKept && !keep(fn, expr, operand))
      return false;
    add(expr, std::move(operand));
    return true;
  }
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
    add(expr, Operand{*value, nullptr, {}});
    return true;
  }
  if (const auto *unary = expr.as<syntax::Unary>())
    return prepare(fn, *unary->operand, isOnce);
  if (const auto *binary = expr.as<syntax::Binary>())
    return prepare(fn, *binary->left, isOnce) &&
           prepare(fn, *binary->right, isOnce);
  if (const auto *compare = expr.as<syntax::Compare>()) {
    const Expr &left = *compare->first, &right = *compare->rest.front().second;
    if (!prepare(fn, left, isOnce) || !prepare(fn, right, isOnce))
      return false;
    auto number = [&](const Expr &side) {
      auto found = operands.find(&side);
      const auto *one =
          found == operands.end() ? nullptr : found->second.value.as<Number>();
      return one ? *one : Number{};
    };
    warnOfNan(fn, compare->rest.front().first, {left, number(left)},
              {right, number(right)}, expr.span);
    return true;
  }
  const auto &call = *expr.as<syntax::Call>();
  if (const Expr *viewed = methodOperand(fn, call))
    return prepare(fn, *viewed, isOnce);
  return llvm::all_of(
             call.arguments,
             [&](const auto &each) { return prepare(fn, *each, isOnce); }) &&
         llvm::all_of(call.keywords, [&](const auto &each) {
           return prepare(fn, *each.second, isOnce);
         });
}

std::optional<ArrayExpression>
ArrayExpression::prepared(FunctionLowering &fn, const Expr &expr, bool isOnce) {
  std::optional<ArrayExpression> result(std::in_place);
  result->root = &expr;
  if (!result->prepare(fn, expr, isOnce))
    return std::nullopt;
  return result;
}

std::optional<ArrayExpression> ArrayExpression::of(FunctionLowering &fn,
                                                   const Expr &expr) {
  return prepared(fn, expr, /*isOnce=*/true);
}

std::optional<ArrayExpression> ArrayExpression::ofElements(FunctionLowering &fn,
                                                           const Expr &expr) {
  return prepared(fn, expr, /*isOnce=*/false);
}

ArrayExpression ArrayExpression::ofView(const Expr &expr,
                                        const ArrayView &view) {
  ArrayExpression result;
  result.root = &expr;
  result.add(expr, Operand{Binding(view), nullptr, {}});
  return result;
}

bool ArrayExpression::keep(FunctionLowering &fn, const Expr &expr,
                           Operand &operand) {
  ArrayExpression whole;
  whole.root = &expr;
  whole.add(expr, std::move(operand));
  std::optional<ArrayView> kept = keepElements(fn, whole, "", expr.span);
  if (!kept)
    return false;
  operand = Operand{Binding(*kept), nullptr, {}};
  return true;
}

/// What messages call an operand.
static std::string nameIn(FunctionLowering &fn, const Binding &value,
                          const Expr &expr) {
  const auto *view = value.as<ArrayView>();
  return view && !view->name.empty() ? view->name : textAt(fn, expr.span);
}

bool ArrayExpression::fitOperand(FunctionLowering &fn, const Expr &expr,
                                 const std::string &name,
                                 ArrayRef<Value> extents) {
  Operand &operand = operands.at(&expr);
  const SmallVector<Value> own = operand.extents();
  if (own.size() > extents.size()) {
    fn.error(Diag::too_many_dimensions, expr.span,
             {nameIn(fn, operand.value, expr),
              runtime::counted(own.size(), "dimension"), name,
              runtime::counted(extents.size(), "dimension")});
    return false;
  }
  auto isOne = [](Value extent) { return knownInteger(extent) == 1; };
  bool isRepeated = !llvm::all_of(extents.drop_back(own.size()), isOne);
  operand.repeats.clear();
  for (auto [extent, wanted] : llvm::zip(own, extents.take_back(own.size()))) {
    operand.repeats.push_back(isOne(extent));
    if (isOne(extent))
      isRepeated |= !isOne(wanted);
    else if (!checkSameExtent(fn, name, wanted, extent, expr.span))
      return false;
  }
  const bool isKept =
      isRepeated && operand.computed && operand.computed->isCostly();
  if (!isKept)
    return true;
  SmallVector<bool> repeats = std::move(operand.repeats);
  if (!keep(fn, expr, operand))
    return false;
  operand.repeats = std::move(repeats);
  return true;
}

bool ArrayExpression::fit(FunctionLowering &fn, const std::string &name,
                          ArrayRef<Value> extents) {
  return llvm::all_of(arrays, [&](const Expr *expr) {
    return fitOperand(fn, *expr, name, extents);
  });
}

std::optional<SmallVector<Value>>
ArrayExpression::extents(FunctionLowering &fn) {
  SmallVector<SmallVector<Value>> all;
  size_t rank = 0;
  for (const Expr *expr : arrays) {
    all.push_back(operands.at(expr).extents());
    rank = std::max(rank, all.back().size());
  }
  SmallVector<Value> result(rank);
  for (ArrayRef<Value> own : all)
    for (auto [extent, total] :
         llvm::zip(own, MutableArrayRef(result).take_back(own.size())))
      if (!total || knownInteger(total) == 1)
        total = extent;
  if (!fit(fn, nameIn(fn, operands.at(arrays.front()).value, *arrays.front()),
           result))
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<Number> ArrayExpression::at(FunctionLowering &fn,
                                          ArrayRef<Value> indices) const {
  return at(fn, *root, indices);
}

std::optional<Number> ArrayExpression::at(FunctionLowering &fn,
                                          const Expr &expr,
                                          ArrayRef<Value> indices) const {
  const Span span = expr.span;
  if (auto found = operands.find(&expr); found != operands.end()) {
    const Operand &operand = found->second;
    const SmallVector<Value> own = operand.indices(fn, indices, span);
    if (operand.computed)
      return operand.computed->at(fn, own);
    if (const auto *view = operand.value.as<ArrayView>())
      return Number{load(fn, elementOf(fn, *view, own, span), span), {}};
    return *operand.value.as<Number>();
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
  if (!callee->function && hasNumPyOptions(call, fn.scope())) {
    fn.failed = true;
    reportNumPyOptions(call, span, fn.diagnostics);
    return std::nullopt;
  }
  const size_t count = call.arguments.size() + call.keywords.size();
  const bool isNumber = callee->name == "max" || callee->name == "min";
  const ScalarFunctionInfo *row =
      scalarFunctionNamed(!isNumber               ? callee->name
                          : callee->name == "max" ? StringRef("maximum")
                                                  : StringRef("minimum"));
  const bool isRow = row && takes(*row, count);
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
    const std::string &keyword = call.keywords[0].first.name;
    fn.error(Diag::keyword_argument, call.keywords[0].first.span,
             {callee->name.str(), keyword})
        .help = insteadOfKeyword(std::string_view(callee->name), keyword);
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

//===- Sequences.cpp - what a for runs over -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"

using namespace mlir;

namespace kern {

std::optional<FunctionLowering::Iterable>
FunctionLowering::rangeOf(const syntax::Call &call, Span span) {
  size_t count = call.arguments.size();
  if (count < 1 || count > 3) {
    const auto *name = call.function->as<syntax::Name>();
    error(Diag::range_arity, span,
          {name ? name->name : "range", "1 to 3 arguments",
           std::to_string(count) + (count == 1 ? " is" : " are")});
    return std::nullopt;
  }
  SmallVector<Number> bounds;
  for (const syntax::ExprPtr &argument : call.arguments) {
    std::optional<Number> bound = lowerScalar(*argument);
    if (!bound)
      return std::nullopt;
    bounds.push_back(*bound);
  }
  auto index = [&](const Number &bound, size_t argument) {
    Span place = call.arguments[argument]->span;
    return indexValue(materialize(bound, place), place);
  };
  Iterable range;
  range.lower =
      count == 1 ? indexValue(constantInt(0, span), span) : index(bounds[0], 0);
  range.upper = index(bounds[count == 1 ? 0 : 1], count == 1 ? 0 : 1);
  range.constantStep = 1;
  if (count == 3) {
    range.constantStep = std::nullopt;
    if (bounds[2].constant && bounds[2].constant->isInt())
      range.constantStep = int64_t(*bounds[2].constant->asInt());
    if (range.constantStep == 0) {
      error(Diag::range_step_zero, call.arguments[2]->span);
      return std::nullopt;
    }
    range.step = index(bounds[2], 2);
  } else {
    range.step = constantInt(1, span);
  }
  range.element = [](Value position) { return Binding(position); };
  return range;
}

Value FunctionLowering::countOf(const Iterable &sequence, Span span) {
  if (sequence.constantStep == 1 && !sequence.lower)
    return sequence.upper;
  auto apply = [&](StringRef function, Value a, Value b) {
    return applyValues(function, {a, b}, span);
  };
  // ceil((upper - lower) / step), at least 0.
  Value distance = apply("subtract", sequence.upper, sequence.lower);
  Value negated = apply("subtract", constantInt(0, span), distance);
  Value turns = apply("subtract", constantInt(0, span),
                      apply("floor_divide", negated, sequence.step));
  return apply("maximum", turns, constantInt(0, span));
}

std::optional<FunctionLowering::Iterable>
FunctionLowering::overArray(const ArrayView &view, Span span) {
  Iterable sequence;
  sequence.lower = indexValue(constantInt(0, span), span);
  sequence.upper = extentOf(view, 0);
  sequence.step = constantInt(1, span);
  sequence.constantStep = 1;
  sequence.element = [this, view, span](Value index) -> std::optional<Binding> {
    ArrayView part = atFirst(view, index, span);
    if (part.open().empty())
      return Binding(load(part, span));
    return Binding(part);
  };
  return sequence;
}

std::optional<FunctionLowering::Iterable>
FunctionLowering::iterable(const syntax::Expr &expr) {
  const auto *call = expr.as<syntax::Call>();
  const auto *name = call ? call->function->as<syntax::Name>() : nullptr;
  StringRef called =
      name && !env.count(name->name) && !scope->function(name->name)
          ? StringRef(name->name)
          : "";
  if (called == "range")
    return rangeOf(*call, expr.span);
  if (called == "prange") {
    error(Diag::prange_misplaced, expr.span);
    return std::nullopt;
  }
  auto counting = [&](Value count) {
    Iterable sequence;
    sequence.lower = indexValue(constantInt(0, expr.span), expr.span);
    sequence.upper = count;
    sequence.step = constantInt(1, expr.span);
    sequence.constantStep = 1;
    return sequence;
  };
  // The element of `inner` at turn `k`.
  auto atTurn = [this, span = expr.span](const Iterable &inner, Value k) {
    Value offset = applyValues("multiply", {k, inner.step}, span);
    return inner.element(applyValues("add", {inner.lower, offset}, span));
  };
  if (called == "enumerate" || called == "reversed") {
    size_t most = called == "enumerate" ? 2 : 1;
    if (!checkCount(called, *call, 1, most, expr.span))
      return std::nullopt;
    std::optional<Iterable> inner = iterable(*call->arguments[0]);
    if (!inner)
      return std::nullopt;
    Value count = countOf(*inner, expr.span);
    Iterable sequence = counting(count);
    if (called == "reversed") {
      sequence.element = [=, this, inner = *inner, span = expr.span](Value k) {
        Value last =
            applyValues("subtract", {count, constantInt(1, span)}, span);
        return atTurn(inner, applyValues("subtract", {last, k}, span));
      };
      return sequence;
    }
    Value start;
    if (call->arguments.size() == 2) {
      start = lowerValue(*call->arguments[1]);
      if (!start)
        return std::nullopt;
    }
    sequence.element = [=, this, inner = *inner,
                        span = expr.span](Value k) -> std::optional<Binding> {
      std::optional<Binding> element = atTurn(inner, k);
      if (!element)
        return std::nullopt;
      Value number = start ? applyValues("add", {k, start}, span) : k;
      return Binding(Tuple{{Binding(number), *element}});
    };
    return sequence;
  }
  if (called == "zip") {
    if (!checkCount(called, *call, 1, 64, expr.span))
      return std::nullopt;
    std::vector<Iterable> parts;
    Value count;
    for (const syntax::ExprPtr &argument : call->arguments) {
      std::optional<Iterable> part = iterable(*argument);
      if (!part)
        return std::nullopt;
      Value turns = countOf(*part, expr.span);
      count = count ? applyValues("minimum", {count, turns}, expr.span) : turns;
      parts.push_back(std::move(*part));
    }
    Iterable sequence = counting(count);
    sequence.element = [=](Value k) -> std::optional<Binding> {
      Tuple tuple;
      for (const Iterable &part : parts) {
        std::optional<Binding> element = atTurn(part, k);
        if (!element)
          return std::nullopt;
        tuple.elements.push_back(*element);
      }
      return Binding(tuple);
    };
    return sequence;
  }
  std::optional<Binding> binding = lowerExpr(expr);
  if (!binding)
    return std::nullopt;
  if (const auto *view = binding->as<ArrayView>())
    return overArray(*view, expr.span);
  if (!binding->as<Unusable>())
    error(Diag::not_iterable, expr.span,
          {binding->as<Tuple>() ? "a tuple" : "a number"})
        .help = "`for i in range(n)` counts from 0 to n - 1";
  return std::nullopt;
}

} // namespace kern

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
      range.constantStep = bounds[2].constant->asInt()->asInt64();
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

//===----------------------------------------------------------------------===//
// Counting turns
//===----------------------------------------------------------------------===//

/// Whether it is a size of arrays, or a constant like one: differences of such
/// do not overflow.
static bool isLikeSize(Value value) {
  constexpr int64_t limit = int64_t(1) << 62;
  if (std::optional<int64_t> constant = constantIndex(value))
    return *constant >= -limit && *constant <= limit;
  return isShapeValue(value);
}

Value FunctionLowering::countOf(const Iterable &sequence, Span span) {
  Value lower = sequence.lower, upper = sequence.upper;
  const std::optional<int64_t> step = sequence.constantStep;
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  auto apply = [&](ScalarFunction function, ArrayRef<Value> operands) {
    return applyValues(function, operands, span);
  };
  auto number = [&](int64_t value) { return constantInt(value, span); };
  const std::optional<int64_t> first = constantIndex(lower);
  const std::optional<int64_t> end = constantIndex(upper);
  if (step && first && end) {
    __int128 distance =
        *step > 0 ? __int128(*end) - *first : __int128(*first) - *end;
    __int128 size = *step > 0 ? *step : -__int128(*step);
    __int128 turns = distance <= 0 ? 0 : (distance - 1) / size + 1;
    return number(int64_t(std::min<__int128>(turns, most)));
  }
  if (step && *step != std::numeric_limits<int64_t>::min() &&
      isLikeSize(lower) && isLikeSize(upper)) {
    Value far = *step > 0 ? upper : lower, near = *step > 0 ? lower : upper;
    Value distance = apply(ScalarFunction::subtract,
                           {apply(ScalarFunction::maximum, {far, near}), near});
    if (std::abs(*step) == 1)
      return distance;
    Value negated = apply(ScalarFunction::subtract, {number(0), distance});
    return apply(ScalarFunction::subtract,
                 {number(0), apply(ScalarFunction::floor_divide,
                                   {negated, number(std::abs(*step))})});
  }
  // Of any two integers the difference is one without a sign.
  auto wide = [&](Value value) {
    auto type = builder.getIntegerType(64, /*isSigned=*/false);
    return convert({value, {}}, {TypeAttr::get(type), Value()},
                   CastMode::Explicit, span)
        .value;
  };
  auto distance = [&](Value from, Value to) {
    return apply(ScalarFunction::subtract, {wide(to), wide(from)});
  };
  Value isUp = apply(ScalarFunction::greater, {sequence.step, number(0)});
  Value isDown = apply(ScalarFunction::less, {sequence.step, number(0)});
  Value some =
      apply(ScalarFunction::logical_or,
            {apply(ScalarFunction::logical_and,
                   {isUp, apply(ScalarFunction::less, {lower, upper})}),
             apply(ScalarFunction::logical_and,
                   {isDown, apply(ScalarFunction::less, {upper, lower})})});
  Value way = apply(ScalarFunction::where,
                    {isUp, distance(lower, upper), distance(upper, lower)});
  Value zero = indexValue(number(0), span);
  Value size =
      apply(ScalarFunction::where, {isUp, distance(zero, sequence.step),
                                    distance(sequence.step, zero)});
  Value last = apply(ScalarFunction::floor_divide,
                     {apply(ScalarFunction::subtract, {way, number(1)}), size});
  Value turns =
      apply(ScalarFunction::where,
            {some, apply(ScalarFunction::add, {last, number(1)}), wide(zero)});
  // Nobody sees the end of more turns than an index counts.
  return indexValue(apply(ScalarFunction::minimum, {turns, number(most)}),
                    span);
}

FunctionLowering::Iterable FunctionLowering::counting(Value count, Span span) {
  Iterable sequence;
  sequence.lower = indexValue(constantInt(0, span), span);
  sequence.upper = count;
  sequence.step = constantInt(1, span);
  sequence.constantStep = 1;
  return sequence;
}

std::optional<Binding> FunctionLowering::atTurn(const Iterable &sequence,
                                                Value turn, Span span) {
  Value offset =
      applyValues(ScalarFunction::multiply, {turn, sequence.step}, span);
  return sequence.element(
      applyValues(ScalarFunction::add, {sequence.lower, offset}, span));
}

std::optional<FunctionLowering::Iterable>
FunctionLowering::inOrder(const syntax::Expr &expr) {
  std::optional<Iterable> sequence = iterable(expr);
  // The index after the last one of a wider step may be past all integers.
  if (!sequence || sequence->constantStep == 1 || sequence->constantStep == -1)
    return sequence;
  Iterable turns = counting(countOf(*sequence, expr.span), expr.span);
  turns.element = [this, inner = *sequence, span = expr.span](Value turn) {
    return atTurn(inner, turn, span);
  };
  return turns;
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

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
  if (called == "enumerate" || called == "reversed") {
    size_t most = called == "enumerate" ? 2 : 1;
    if (!checkCount(called, *call, 1, most, expr.span))
      return std::nullopt;
    std::optional<Iterable> inner = iterable(*call->arguments[0]);
    if (!inner)
      return std::nullopt;
    Value count = countOf(*inner, expr.span);
    Iterable sequence = counting(count, expr.span);
    if (called == "reversed") {
      sequence.element = [=, this, inner = *inner, span = expr.span](Value k) {
        Value last = applyValues(ScalarFunction::subtract,
                                 {count, constantInt(1, span)}, span);
        return atTurn(inner,
                      applyValues(ScalarFunction::subtract, {last, k}, span),
                      span);
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
      std::optional<Binding> element = atTurn(inner, k, span);
      if (!element)
        return std::nullopt;
      Value number =
          start ? applyValues(ScalarFunction::add, {k, start}, span) : k;
      return Binding(Tuple({Binding(number), *element}));
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
      count = count ? applyValues(ScalarFunction::minimum, {count, turns},
                                  expr.span)
                    : turns;
      parts.push_back(std::move(*part));
    }
    Iterable sequence = counting(count, expr.span);
    sequence.element = [=, this,
                        span = expr.span](Value k) -> std::optional<Binding> {
      std::vector<Binding> elements;
      for (const Iterable &part : parts) {
        std::optional<Binding> element = atTurn(part, k, span);
        if (!element)
          return std::nullopt;
        elements.push_back(*element);
      }
      return Binding(Tuple(std::move(elements)));
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

//===- Sequences.cpp - what a for runs over -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Sequences.h"

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Ranks.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// Without `element`.
Sequence counting(FunctionLowering &fn, Value count, Span span) {
  Sequence sequence;
  sequence.lower = fn.indexValue(fn.constantInt(0, span), span);
  sequence.upper = count;
  sequence.step = fn.constantInt(1, span);
  sequence.constantStep = 1;
  return sequence;
}

std::optional<Sequence> rangeOf(FunctionLowering &fn, const syntax::Call &call,
                                Span span) {
  const auto *name = call.function->as<syntax::Name>();
  SmallVector<const syntax::Expr *> arguments;
  for (const syntax::ExprPtr &argument : call.arguments)
    arguments.push_back(argument.get());
  return rangeOf(fn, name ? name->name : "range", arguments, span);
}

std::optional<Sequence> rangeOf(FunctionLowering &fn, const std::string &name,
                                ArrayRef<const syntax::Expr *> arguments,
                                Span span) {
  const size_t count = arguments.size();
  if (count < 1 || count > 3) {
    fn.error(Diag::range_arity, span,
             {name, "1 to 3 arguments",
              std::to_string(count) + (count == 1 ? " is" : " are")});
    return std::nullopt;
  }
  SmallVector<Number> bounds;
  for (const syntax::Expr *argument : arguments) {
    // What a call gives shows when it is lowered.
    if (!argument->as<syntax::Call>() && Ranks(fn).of(*argument) > 0) {
      const std::string text = textAt(fn, argument->span);
      fn.error(Diag::array_as_value, argument->span, {text}).help =
          "go through its elements, `for v in " + text +
          "`, or through their indices: `" + name + "(len(" + text + "))`";
      return std::nullopt;
    }
    std::optional<Number> bound = fn.lowerScalar(*argument);
    if (!bound)
      return std::nullopt;
    bounds.push_back(*bound);
  }
  auto index = [&](const Number &bound, size_t argument) {
    Span place = arguments[argument]->span;
    return fn.indexValue(fn.materialize(bound, place), place, name);
  };
  Sequence range;
  range.lower = count == 1 ? fn.indexValue(fn.constantInt(0, span), span)
                           : index(bounds[0], 0);
  range.upper = index(bounds[count == 1 ? 0 : 1], count == 1 ? 0 : 1);
  range.constantStep = 1;
  if (count == 3) {
    range.constantStep = std::nullopt;
    if (bounds[2].constant && bounds[2].constant->isInt())
      range.constantStep = bounds[2].constant->asInt()->asInt64();
    if (range.constantStep == 0) {
      fn.error(Diag::range_step_zero, arguments[2]->span);
      return std::nullopt;
    }
    range.step = index(bounds[2], 2);
  } else {
    range.step = fn.constantInt(1, span);
  }
  range.element = [](Value position) { return Binding(position); };
  return range;
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

/// Whether a value is the size of an array or a constant of that magnitude:
/// differences of these do not overflow.
static bool isLikeSize(Value value) {
  constexpr int64_t limit = int64_t(1) << 62;
  if (std::optional<int64_t> constant = knownInteger(value))
    return *constant >= -limit && *constant <= limit;
  return isShapeValue(value);
}

Value lengthOf(FunctionLowering &fn, const Sequence &sequence, Span span) {
  Value lower = sequence.lower, upper = sequence.upper;
  const std::optional<int64_t> step = sequence.constantStep;
  constexpr int64_t maxLength = std::numeric_limits<int64_t>::max();
  auto apply = [&](ScalarFunction function, ArrayRef<Value> operands) {
    return fn.applyValues(function, operands, span);
  };
  auto number = [&](int64_t value) { return fn.constantInt(value, span); };
  const std::optional<int64_t> first = knownInteger(lower);
  const std::optional<int64_t> end = knownInteger(upper);
  if (step && first && end) {
    __int128 distance =
        *step > 0 ? __int128(*end) - *first : __int128(*first) - *end;
    __int128 size = *step > 0 ? *step : -__int128(*step);
    __int128 length = distance <= 0 ? 0 : (distance - 1) / size + 1;
    return number(int64_t(std::min<__int128>(length, maxLength)));
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
  // The distance of any two i64 fits u64.
  auto wide = [&](Value value) {
    auto type = fn.builder.getIntegerType(64, /*isSigned=*/false);
    return fn
        .convert({value, {}}, {TypeAttr::get(type), Value()},
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
  Value zero = fn.indexValue(number(0), span);
  Value size =
      apply(ScalarFunction::where, {isUp, distance(zero, sequence.step),
                                    distance(sequence.step, zero)});
  Value last = apply(ScalarFunction::floor_divide,
                     {apply(ScalarFunction::subtract, {way, number(1)}), size});
  Value length =
      apply(ScalarFunction::where,
            {some, apply(ScalarFunction::add, {last, number(1)}), wide(zero)});
  // More iterations than an index can count would never end.
  return fn.indexValue(
      apply(ScalarFunction::minimum, {length, number(maxLength)}), span);
}

std::optional<Binding> elementAt(FunctionLowering &fn, const Sequence &sequence,
                                 Value iteration, Span span) {
  Value offset = fn.applyValues(ScalarFunction::multiply,
                                {iteration, sequence.step}, span);
  return sequence.element(
      fn.applyValues(ScalarFunction::add, {sequence.lower, offset}, span));
}

std::optional<Sequence> unitStepSequenceOf(FunctionLowering &fn,
                                           const syntax::Expr &expr) {
  std::optional<Sequence> sequence = sequenceOf(fn, expr);
  // With a wider step the index after the last one may overflow.
  if (!sequence || sequence->constantStep == 1 || sequence->constantStep == -1)
    return sequence;
  Sequence steps = counting(fn, lengthOf(fn, *sequence, expr.span), expr.span);
  steps.element = [&fn, inner = *sequence, span = expr.span](Value iteration) {
    return elementAt(fn, inner, iteration, span);
  };
  return steps;
}

//===----------------------------------------------------------------------===//
// Arrays, and what Python's functions make of sequences
//===----------------------------------------------------------------------===//

Sequence arraySequence(FunctionLowering &fn, const ArrayView &view, Span span) {
  Sequence sequence = counting(fn, extentOf(view, 0), span);
  sequence.element = [&fn, view, span](Value index) -> std::optional<Binding> {
    ArrayView part = atFirst(fn, view, index, span);
    if (part.open().empty())
      return Binding(load(fn, part, span));
    return Binding(part);
  };
  return sequence;
}

/// `reversed(s)`.
static std::optional<Sequence> reversedOf(FunctionLowering &fn,
                                          const syntax::Call &call, Span span) {
  if (!checkCount(fn, "reversed", call, 1, 1, span))
    return std::nullopt;
  std::optional<Sequence> inner = sequenceOf(fn, *call.arguments[0]);
  if (!inner)
    return std::nullopt;
  Value length = lengthOf(fn, *inner, span);
  Sequence sequence = counting(fn, length, span);
  sequence.element = [=, &fn, inner = *inner](Value index) {
    Value last = fn.applyValues(ScalarFunction::subtract,
                                {length, fn.constantInt(1, span)}, span);
    return elementAt(
        fn, inner,
        fn.applyValues(ScalarFunction::subtract, {last, index}, span), span);
  };
  return sequence;
}

/// `enumerate(s)` or `enumerate(s, first)`.
static std::optional<Sequence>
enumeratedOf(FunctionLowering &fn, const syntax::Call &call, Span span) {
  if (!checkCount(fn, "enumerate", call, 1, 2, span))
    return std::nullopt;
  std::optional<Sequence> inner = sequenceOf(fn, *call.arguments[0]);
  if (!inner)
    return std::nullopt;
  Sequence sequence = counting(fn, lengthOf(fn, *inner, span), span);
  Value first;
  if (call.arguments.size() == 2) {
    first = fn.lowerValue(*call.arguments[1]);
    if (!first)
      return std::nullopt;
  }
  sequence.element = [=, &fn,
                      inner = *inner](Value index) -> std::optional<Binding> {
    std::optional<Binding> element = elementAt(fn, inner, index, span);
    if (!element)
      return std::nullopt;
    Value number =
        first ? fn.applyValues(ScalarFunction::add, {index, first}, span)
              : index;
    return Binding(Tuple({Binding(number), *element}));
  };
  return sequence;
}

/// `zip(s, …)`, as long as the shortest of them.
static std::optional<Sequence> zippedOf(FunctionLowering &fn,
                                        const syntax::Call &call, Span span) {
  if (!checkCount(fn, "zip", call, 1, 64, span))
    return std::nullopt;
  std::vector<Sequence> parts;
  Value length;
  for (const syntax::ExprPtr &argument : call.arguments) {
    std::optional<Sequence> part = sequenceOf(fn, *argument);
    if (!part)
      return std::nullopt;
    Value own = lengthOf(fn, *part, span);
    length = length
                 ? fn.applyValues(ScalarFunction::minimum, {length, own}, span)
                 : own;
    parts.push_back(std::move(*part));
  }
  Sequence sequence = counting(fn, length, span);
  sequence.element = [=, &fn](Value index) -> std::optional<Binding> {
    std::vector<Binding> elements;
    for (const Sequence &part : parts) {
      std::optional<Binding> element = elementAt(fn, part, index, span);
      if (!element)
        return std::nullopt;
      elements.push_back(*element);
    }
    return Binding(Tuple(std::move(elements)));
  };
  return sequence;
}

std::optional<Sequence> sequenceOf(FunctionLowering &fn,
                                   const syntax::Expr &expr) {
  const Span span = expr.span;
  const auto *call = expr.as<syntax::Call>();
  const auto *name = call ? call->function->as<syntax::Name>() : nullptr;
  StringRef called =
      name && !fn.env().count(name->name) && !fn.scope().function(name->name)
          ? StringRef(name->name)
          : "";
  if (called == "range")
    return rangeOf(fn, *call, span);
  if (const auto *part = expr.as<syntax::Subscript>())
    if (const auto *inner = part->value->as<syntax::Call>())
      if (const auto *range = inner->function->as<syntax::Name>();
          range && range->name == "range" && !fn.env().count("range")) {
        fn.error(Diag::range_as_value, span, {"range"}).help =
            "a range has no parts: `reversed(range(n))` counts down, and "
            "`range(a, b, step)` takes some";
        return std::nullopt;
      }
  if (called == "prange") {
    fn.error(Diag::prange_misplaced, span);
    return std::nullopt;
  }
  if (called == "enumerate")
    return enumeratedOf(fn, *call, span);
  if (called == "reversed")
    return reversedOf(fn, *call, span);
  if (called == "zip")
    return zippedOf(fn, *call, span);
  std::optional<Binding> binding = lowerWhole(fn, expr);
  if (!binding)
    return std::nullopt;
  if (const auto *view = binding->as<ArrayView>())
    return arraySequence(fn, *view, span);
  const auto *tuple = binding->as<Tuple>();
  if (tuple) {
    if (std::optional<ArrayView> table = tableOf(fn, *tuple, span))
      return arraySequence(fn, *table, span);
    if (std::optional<Sequence> among = tupleSequence(fn, *tuple, span))
      return among;
  }
  if (tuple)
    fn.error(Diag::not_iterable, span, {"a tuple here"}).help =
        "a `for` over a tuple by its name, or over `zip` or `enumerate` of "
        "tuples alone, is written out for each element";
  else if (!binding->as<Poisoned>())
    fn.error(Diag::not_iterable, span, {describe(*binding)}).help =
        "`for i in range(n)` counts from 0 to n - 1";
  return std::nullopt;
}

} // namespace kern::compiler

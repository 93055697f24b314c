//===- Scans.cpp - cumsum, accumulate and their kin -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ScanBuilder.h"

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/Reductions.h"
#include "compiler/lowering/Scopes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

std::optional<ReduceKind> scanKind(StringRef name) {
  return llvm::StringSwitch<std::optional<ReduceKind>>(name)
      .Case("cumsum", ReduceKind::Sum)
      .Case("cumprod", ReduceKind::Prod)
      .Case("cummax", ReduceKind::Max)
      .Case("cummin", ReduceKind::Min)
      .Default(std::nullopt);
}

bool isScan(StringRef name) { return name == "accumulate" || scanKind(name); }

std::optional<ScanSource> scanSource(FunctionLowering &fn,
                                     const syntax::Expr &expr, StringRef name,
                                     Span span) {
  ScanSource source;
  auto refuse = [&](Span place) {
    fn.error(Diag::scan_source, place, {name.str()}).help =
        "`" + name.str() +
        (name == "accumulate" ? "(f, x for x in v)`" : "(x for x in v)`") +
        "; a scan of rows is one statement for each row, in a `prange`";
    return std::nullopt;
  };
  if (const auto *generator = expr.as<syntax::Generator>()) {
    if (generator->clauses.size() != 1 ||
        !generator->clauses.front().conditions.empty())
      return refuse(span);
    source.clause = &generator->clauses.front();
    source.element = generator->element.get();
    std::optional<Sequence> sequence = sequenceOf(fn, *source.clause->iterable);
    if (!sequence)
      return std::nullopt;
    source.sequence = std::move(*sequence);
    return source;
  }
  if (ArrayExpression::isOne(fn, expr)) {
    if (Ranks(fn).of(expr) != 1)
      return refuse(expr.span);
    auto value = ArrayExpression::of(fn, expr);
    std::optional<SmallVector<Value>> extents;
    if (value)
      extents = value->extents(fn);
    if (!extents)
      return std::nullopt;
    source.sequence = counting(fn, extents->front(), span);
    source.sequence.element =
        [&fn, kept = std::make_shared<ArrayExpression>(std::move(*value))](
            Value index) -> std::optional<Binding> {
      std::optional<Number> element = kept->at(fn, {index});
      return element ? std::optional<Binding>(*element) : std::nullopt;
    };
    return source;
  }
  std::optional<Binding> operand = fn.lowerExpr(expr);
  if (!operand || operand->as<Poisoned>())
    return std::nullopt;
  const auto *view = operand->as<ArrayView>();
  if (!view || view->open().size() != 1)
    return refuse(expr.span);
  source.sequence = arraySequence(fn, *view, span);
  return source;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

std::optional<Binding> ScanSource::at(FunctionLowering &fn, Value iteration,
                                      Span span) const {
  const bool isPlain =
      knownInteger(sequence.lower) == 0 && sequence.constantStep == 1;
  std::optional<Binding> item = isPlain
                                    ? sequence.element(iteration)
                                    : elementAt(fn, sequence, iteration, span);
  if (!item || !clause)
    return item;
  bindTargets(fn, *clause, *item);
  return fn.lowerExpr(*element);
}

ScanOp ScanBuilder::begin(const ScanSource &source, ArrayRef<Value> initial,
                          std::optional<ReduceKind> kind) {
  Value length = lengthOf(fn, source.sequence, span);
  Value zero = fn.indexValue(fn.constantInt(0, span), span);
  Value one = fn.constantInt(1, span);
  op = ScanOp::create(fn.builder, fn.loc(span),
                      SmallVector<Type>(initial.size(), open),
                      kind ? ReduceKindAttr::get(fn.builder.getContext(), *kind)
                           : ReduceKindAttr(),
                      /*accumulates=*/UnitAttr(), zero, length, one, initial);
  RegionScope inside(fn, op.getElements());
  shape = source.at(fn, argument(op.getElements()), span);
  if (!shape || !fn.isReachable())
    return nullptr;
  SmallVector<Number> numbers;
  if (!flatten(*shape, numbers))
    return nullptr;
  count = unsigned(numbers.size());
  give(numbers);
  return op;
}

void ScanBuilder::erase() {
  op.walk([&](AccumulatorOp counter) { fn.races.counters.erase(counter); });
  op.erase();
}

bool ScanBuilder::combine(Combine combine) {
  RegionScope inside(fn, op.getCombine());
  SmallVector<Value> values;
  for (unsigned i = 0; i < 2 * count; ++i)
    values.push_back(argument(op.getCombine()));
  ArrayRef<Value> rest = values;
  Binding left = rebuild(*shape, rest), right = rebuild(*shape, rest);
  std::optional<Binding> joined = combine(left, right);
  if (!joined || !fn.isReachable())
    return false;
  SmallVector<Number> numbers;
  if (!flatten(*joined, numbers) || numbers.size() != count)
    return false;
  for (const Number &number : numbers)
    if (number.value)
      for (Value value : ArrayRef(values).take_front(count))
        if (isComputedFrom(number.value, value))
          op.setAccumulates(true);
  give(numbers);
  return true;
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

std::optional<std::optional<Binding>> foldInGroups(FunctionLowering &fn,
                                                   const syntax::Expr &source,
                                                   const Binding &initial,
                                                   Combine combine, Span span) {
  std::optional<Binding> error;
  EnvScope own(fn);
  ScanSource elements;
  const syntax::Expr *iterable = &source;
  if (const auto *generator = source.as<syntax::Generator>()) {
    elements.clause = &generator->clauses.front();
    elements.element = generator->element.get();
    iterable = elements.clause->iterable.get();
  }
  std::optional<Sequence> sequence = sequenceOf(fn, *iterable);
  if (!sequence)
    return error;
  elements.sequence = std::move(*sequence);
  SmallVector<Number> numbers;
  SmallVector<Value> values;
  flatten(initial, numbers);
  for (const Number &number : numbers)
    values.push_back(fn.materialize(number, span));
  ScanBuilder builder(fn, span);
  ScanOp op = builder.begin(elements, values, std::nullopt);
  if (builder.element() && !sameShape(*builder.element(), initial)) {
    builder.erase();
    return std::nullopt;
  }
  if (!op || !builder.combine(combine)) {
    fn.failed = true;
    return error;
  }
  values.assign(op.getTotals().begin(), op.getTotals().end());
  ArrayRef<Value> rest = values;
  return std::optional<Binding>(rebuild(initial, rest));
}

} // namespace kern::compiler

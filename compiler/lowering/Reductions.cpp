//===- Reductions.cpp - reductions over generators and arrays -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Reductions.h"

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/Scopes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

std::optional<ReduceKind> reduceKind(StringRef name) {
  return llvm::StringSwitch<std::optional<ReduceKind>>(name)
      .Case("sum", ReduceKind::Sum)
      .Case("mean", ReduceKind::Mean)
      .Case("prod", ReduceKind::Prod)
      .Case("min", ReduceKind::Min)
      .Case("max", ReduceKind::Max)
      .Case("any", ReduceKind::Any)
      .Case("all", ReduceKind::All)
      .Case("argmin", ReduceKind::ArgMin)
      .Case("argmax", ReduceKind::ArgMax)
      .Default(std::nullopt);
}

static bool isTruth(ReduceKind kind) {
  return kind == ReduceKind::Any || kind == ReduceKind::All;
}

bool isPosition(ReduceKind kind) {
  return kind == ReduceKind::ArgMin || kind == ReduceKind::ArgMax;
}

bool hasConditions(ArrayRef<syntax::GeneratorClause> clauses) {
  return llvm::any_of(clauses, [](const syntax::GeneratorClause &clause) {
    return !clause.conditions.empty();
  });
}

Reduction Reduction::inside(bool counts) const {
  // An inner clause of `argmin` needs the extremum alone.
  ReduceKind inner = kind == ReduceKind::ArgMin   ? ReduceKind::Min
                     : kind == ReduceKind::ArgMax ? ReduceKind::Max
                                                  : kind;
  return {inner, /*isPartial=*/true, counts};
}

std::optional<Reduced>
reduceOver(FunctionLowering &fn, Reduction reduction, const Sequence &sequence,
           Span span,
           llvm::function_ref<std::optional<ReducedElement>(Value)> body) {
  Type open = OpenType::get(fn.builder.getContext());
  auto reduce = ReduceOp::create(
      fn.builder, fn.loc(span), open, reduction.counts ? open : Type(),
      reduction.kind, reduction.isPartial, sequence.lower, sequence.upper,
      sequence.step, reduction.count);
  {
    RegionScope inside(fn, reduce.getBody());
    std::optional<ReducedElement> element =
        body(fn.region->front().addArgument(open, fn.loc(span)));
    if (!element)
      return std::nullopt;
    YieldOp::create(fn.builder, fn.loc(span), element->value, element->keep,
                    element->count);
  }
  return Reduced{reduce.getResult(), reduce.getKept()};
}

static Value reduceArray(FunctionLowering &fn, Reduction reduction,
                         const ArrayView &view, Span span) {
  const Sequence sequence = arraySequence(fn, view, span);
  auto element = [&](Value index) -> std::optional<ReducedElement> {
    ArrayView part = atFirst(fn, view, index, span);
    Value value =
        part.open().empty()
            ? load(fn, part, span)
            : reduceArray(fn, reduction.inside(/*counts=*/false), part, span);
    if (isTruth(reduction.kind))
      value = fn.opened(fn.truthOf({value, {}}, span), span);
    return ReducedElement{value};
  };
  return reduceOver(fn, reduction, sequence, span, element)->value;
}

/// The same of an expression of arrays, from the axis after `indices` on.
static std::optional<Value>
reduceExpression(FunctionLowering &fn, Reduction reduction,
                 const ArrayExpression &value, ArrayRef<Value> extents,
                 SmallVector<Value> indices, Span span) {
  Sequence sequence;
  sequence.lower = fn.indexValue(fn.constantInt(0, span), span);
  sequence.upper = extents[indices.size()];
  sequence.step = fn.constantInt(1, span);
  auto element = [&](Value index) -> std::optional<ReducedElement> {
    SmallVector<Value> at(indices);
    at.push_back(index);
    std::optional<Value> one;
    if (at.size() < extents.size())
      one = reduceExpression(fn, reduction.inside(/*counts=*/false), value,
                             extents, at, span);
    else if (std::optional<Number> number = value.at(fn, at))
      one = fn.materialize(*number, span);
    if (!one)
      return std::nullopt;
    if (isTruth(reduction.kind))
      one = fn.opened(fn.truthOf({*one, {}}, span), span);
    return ReducedElement{*one};
  };
  std::optional<Reduced> reduced =
      reduceOver(fn, reduction, sequence, span, element);
  return reduced ? std::optional(reduced->value) : std::nullopt;
}

/// `sum(a * b)`: an expression of arrays, whose elements are kept nowhere.
static std::optional<Binding> lowerReducedExpression(FunctionLowering &fn,
                                                     ReduceKind kind,
                                                     const syntax::Expr &expr,
                                                     Span span) {
  std::optional<ArrayExpression> value = ArrayExpression::of(fn, expr);
  std::optional<SmallVector<Value>> extents;
  if (value)
    extents = value->extents(fn);
  if (!extents)
    return std::nullopt;
  if (isPosition(kind) && extents->size() != 1) {
    fn.error(Diag::reduction_generator, span, {stringifyReduceKind(kind).str()})
        .help = "store the values to an array from `empty`, and take their "
                "position there";
    return std::nullopt;
  }
  Reduction reduction{kind};
  if (kind == ReduceKind::Mean)
    for (Value extent : *extents)
      reduction.count = reduction.count
                            ? fn.applyValues(ScalarFunction::multiply,
                                             {reduction.count, extent}, span)
                            : extent;
  std::optional<Value> result =
      reduceExpression(fn, reduction, *value, *extents, {}, span);
  return result ? std::optional<Binding>(*result) : std::nullopt;
}

/// A reduction over all elements in C order, so that positions count through
/// the whole array as in NumPy.
static Value reduceFlat(FunctionLowering &fn, Reduction reduction,
                        const ArrayView &view, Span span) {
  Sequence sequence;
  sequence.lower = fn.indexValue(fn.constantInt(0, span), span);
  sequence.upper = sizeOf(fn, view, span);
  sequence.step = fn.constantInt(1, span);
  auto element = [&](Value position) -> std::optional<ReducedElement> {
    ArrayView part = view;
    std::vector<Axis *> open = part.open();
    for (Axis *axis : llvm::reverse(open)) {
      Value index = fn.applyValues(ScalarFunction::remainder,
                                   {position, axis->extent}, span);
      position = fn.applyValues(ScalarFunction::floor_divide,
                                {position, axis->extent}, span);
      axis->fixed = positionOn(fn, *axis, index, span);
    }
    return ReducedElement{load(fn, part, span)};
  };
  return reduceOver(fn, reduction, sequence, span, element)->value;
}

static std::optional<ReducedElement>
elementOf(FunctionLowering &fn, Reduction reduction,
          const syntax::Generator &generator, size_t index, bool &isRectangular,
          Span span) {
  if (index + 1 == generator.clauses.size()) {
    Value element;
    if (!isTruth(reduction.kind))
      element = fn.lowerValue(*generator.element);
    else if (Value truth = fn.lowerCondition(*generator.element))
      element = fn.opened(truth, span);
    return element ? std::optional(ReducedElement{element}) : std::nullopt;
  }
  const auto later = ArrayRef(generator.clauses).drop_front(index + 1);
  const bool isPlace = isPosition(reduction.kind);
  std::optional<Reduced> nested = reduceGenerator(
      fn, reduction.inside(isPlace ? hasConditions(later) : reduction.counts),
      generator, index + 1, span);
  if (!nested)
    return std::nullopt;
  if (!isPlace)
    return ReducedElement{nested->value, {}, nested->count};
  // An iteration without elements cannot hold the extremum. (A call without any
  // elements is an error, where that is known.)
  isRectangular =
      hasInvariantRanges(nested->value.getDefiningOp<ReduceOp>(), *fn.region);
  std::optional<Value> iterations = nested->count;
  if (!*iterations && !isRectangular)
    iterations = iterationsOf(fn, generator, index + 1, span);
  if (!iterations)
    return std::nullopt;
  if (!*iterations)
    return ReducedElement{nested->value};
  Value some = fn.applyValues(ScalarFunction::greater,
                              {*iterations, fn.constantInt(0, span)}, span);
  return ReducedElement{nested->value, fn.truthOf({some, {}}, span)};
}

static std::optional<ReducedElement>
elementIf(FunctionLowering &fn, Reduction reduction,
          ArrayRef<syntax::ExprPtr> conditions,
          llvm::function_ref<std::optional<ReducedElement>()> element,
          Span span) {
  // An element is evaluated only if all conditions hold.
  Block *skip = fn.newBlock(), *end = fn.newBlock();
  for (const syntax::ExprPtr &expr : conditions) {
    Value condition = fn.lowerCondition(*expr);
    if (!condition)
      return std::nullopt;
    Block *next = fn.newBlock();
    cf::CondBranchOp::create(fn.builder, fn.loc(expr->span), condition, next,
                             skip);
    fn.builder.setInsertionPointToStart(next);
  }
  std::optional<ReducedElement> kept = element();
  if (!kept)
    return std::nullopt;
  auto flag = [&](bool value) -> Value {
    return fn.materialize({nullptr, Constant{value}}, span);
  };
  Value yes = kept->keep ? kept->keep : fn.truthOf({flag(true), {}}, span);
  SmallVector<Value> found = {kept->value, yes};
  if (kept->count)
    found.push_back(kept->count);
  cf::BranchOp::create(fn.builder, fn.loc(span), end, found);
  fn.builder.setInsertionPointToStart(skip);
  // A value that is not kept, so its type must not count. For extrema that is
  // False, as a weak 0 would turn bools into integers; for sums it is a weak 0,
  // as False would turn a weak count into a typed one.
  const ReduceKind kind = reduction.kind;
  bool isExtremum =
      kind == ReduceKind::Min || kind == ReduceKind::Max || isPosition(kind);
  Value nothing =
      isTruth(kind) || isExtremum ? flag(false) : fn.constantInt(0, span);
  SmallVector<Value> none = {nothing, fn.truthOf({flag(false), {}}, span)};
  if (kept->count)
    none.push_back(fn.constantInt(0, span));
  cf::BranchOp::create(fn.builder, fn.loc(span), end, none);
  fn.builder.setInsertionPointToStart(end);
  for (Value value : found)
    end->addArgument(value.getType(), fn.loc(span));
  return ReducedElement{end->getArgument(0), end->getArgument(1),
                        kept->count ? Value(end->getArgument(2)) : Value()};
}

std::optional<Reduced> reduceGenerator(FunctionLowering &fn,
                                       Reduction reduction,
                                       const syntax::Generator &generator,
                                       size_t index, Span span) {
  const syntax::GeneratorClause &clause = generator.clauses[index];
  std::optional<Sequence> sequence = sequenceOf(fn, *clause.iterable);
  if (!sequence)
    return std::nullopt;
  // The length of a range is known without counting.
  const bool isRange = index + 1 == generator.clauses.size() &&
                       clause.conditions.empty() && reduction.isPartial;
  Reduction here = reduction;
  here.counts &= !isRange;
  bool isRectangular = true;
  std::optional<Reduced> reduced = reduceOver(
      fn, here, *sequence, span,
      [&](Value position) -> std::optional<ReducedElement> {
        std::optional<Binding> item = sequence->element(position);
        if (!item)
          return std::nullopt;
        bindTargets(fn, clause, *item);
        auto element = [&] {
          return elementOf(fn, reduction, generator, index, isRectangular,
                           span);
        };
        return clause.conditions.empty()
                   ? element()
                   : elementIf(fn, reduction, clause.conditions, element, span);
      });
  if (!reduced)
    return std::nullopt;
  if (reduction.counts && isRange)
    reduced->count = lengthOf(fn, *sequence, span);
  reduced->isRectangular = isRectangular;
  return reduced;
}

static std::optional<Value> lowerGenerator(FunctionLowering &fn,
                                           ReduceKind kind,
                                           const syntax::Generator &generator,
                                           Span span) {
  Reduction reduction{kind};
  if (kind == ReduceKind::Mean) {
    reduction.counts =
        generator.clauses.size() > 1 || hasConditions(generator.clauses);
    if (!reduction.counts) {
      std::optional<Sequence> sequence =
          sequenceOf(fn, *generator.clauses.front().iterable);
      if (!sequence)
        return std::nullopt;
      reduction.count = lengthOf(fn, *sequence, span);
    }
  }
  std::optional<Reduced> reduced =
      reduceGenerator(fn, reduction, generator, 0, span);
  return reduced ? std::optional(reduced->value) : std::nullopt;
}

std::optional<Binding> lowerReduction(FunctionLowering &fn, StringRef name,
                                      const syntax::Call &call, Span span) {
  ReduceKind kind = *reduceKind(name);
  if (call.arguments.empty()) {
    fn.error(Diag::reduction_generator, span, {name.str()});
    return std::nullopt;
  }
  const syntax::Expr &first = *call.arguments[0];
  const auto *generator = first.as<syntax::Generator>();

  // `max(a, b, c)` of numbers.
  if (!generator && call.arguments.size() > 1) {
    if (kind != ReduceKind::Max && kind != ReduceKind::Min) {
      fn.error(Diag::reduction_generator, span, {name.str()}).help =
          Ranks(fn).of(first) > 0 ? "an axis is named, `" + name.str() +
                                        "(x, axis=1)`, but behind `np.`"
                                  : "`" + name.str() + "(x for x in v)`";
      return std::nullopt;
    }
    SmallVector<Number> operands;
    for (const syntax::ExprPtr &argument : call.arguments) {
      std::optional<Number> operand = fn.lowerScalar(*argument);
      if (!operand)
        return std::nullopt;
      operands.push_back(*operand);
    }
    return Binding(fn.applyChained(kind == ReduceKind::Max
                                       ? ScalarFunction::maximum
                                       : ScalarFunction::minimum,
                                   operands, span));
  }
  if (call.arguments.size() != 1) {
    fn.error(Diag::reduction_generator, span, {name.str()});
    return std::nullopt;
  }

  if (!generator && ArrayExpression::isOne(fn, first))
    return lowerReducedExpression(fn, kind, first, span);
  std::optional<Value> result;
  if (generator) {
    EnvScope own(fn);
    result = isPosition(kind) ? lowerPosition(fn, kind, *generator, span)
                              : lowerGenerator(fn, kind, *generator, span);
  } else {
    llvm::SaveAndRestore isReduced(fn.messages.inReduction, true);
    std::optional<Binding> operand = lowerWhole(fn, first);
    if (!operand)
      return std::nullopt;
    const auto *view = operand->as<ArrayView>();
    if (!view) {
      if (operand->as<Poisoned>())
        return std::nullopt;
      Diagnostic &diagnostic =
          fn.error(Diag::reduction_generator, span, {name.str()});
      const bool isExtremum =
          kind == ReduceKind::Max || kind == ReduceKind::Min;
      diagnostic.help =
          operand->as<Tuple>() && isExtremum
              ? "numbers are arguments of their own: `" + name.str() + "(a, b)`"
              : "`" + name.str() + "(x for x in v)`, or `" + name.str() +
                    "(v)` of an array";
      return std::nullopt;
    }
    Reduction reduction{kind};
    if (kind == ReduceKind::Mean)
      reduction.count = sizeOf(fn, *view, span);
    result = isPosition(kind) && view->open().size() != 1
                 ? reduceFlat(fn, reduction, *view, span)
                 : reduceArray(fn, reduction, *view, span);
  }
  if (!result)
    return std::nullopt;
  return Binding(*result);
}

} // namespace kern::compiler

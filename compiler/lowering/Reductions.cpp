//===- Reductions.cpp - reductions over generators and arrays -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace kern {

static std::optional<ReduceKind> reduceKind(StringRef name) {
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

FunctionLowering::Reduction
FunctionLowering::Reduction::inside(bool counts) const {
  // Of positions only the extremum goes on.
  ReduceKind inner = kind == ReduceKind::ArgMin   ? ReduceKind::Min
                     : kind == ReduceKind::ArgMax ? ReduceKind::Max
                                                  : kind;
  return {inner, /*isPartial=*/true, counts};
}

std::optional<FunctionLowering::Reduced> FunctionLowering::reduceOver(
    Reduction reduction, const Iterable &sequence, Span span,
    llvm::function_ref<std::optional<Element>(Value)> body) {
  Type open = OpenType::get(builder.getContext());
  auto reduce = ReduceOp::create(
      builder, loc(span), open, reduction.counts ? open : Type(),
      reduction.kind, reduction.isPartial, sequence.lower, sequence.upper,
      sequence.step, reduction.count);
  OpBuilder::InsertPoint place = builder.saveInsertionPoint();
  Region *outer = std::exchange(region, &reduce.getBody());
  Environment before = env;
  Block *block = newBlock();
  builder.setInsertionPointToStart(block);
  std::optional<Element> element = body(block->addArgument(open, loc(span)));
  if (element)
    YieldOp::create(builder, loc(span), element->value, element->keep,
                    element->count);
  env = std::move(before);
  region = outer;
  builder.restoreInsertionPoint(place);
  if (!element)
    return std::nullopt;
  return Reduced{reduce.getResult(), reduce.getKept()};
}

Value FunctionLowering::reduceArray(Reduction reduction, const ArrayView &view,
                                    Span span) {
  std::optional<Iterable> sequence = overArray(view, span);
  auto elementAt = [&](Value index) -> std::optional<Element> {
    ArrayView part = atFirst(view, index, span);
    Value element =
        part.open().empty()
            ? load(part, span)
            : reduceArray(reduction.inside(/*counts=*/false), part, span);
    if (isTruth(reduction.kind))
      element = opened(truthOf({element, {}}, span), span);
    return Element{element};
  };
  return reduceOver(reduction, *sequence, span, elementAt)->value;
}

/// Over all elements in C order, one after the other: positions count through
/// the whole array, as NumPy's.
Value FunctionLowering::reduceFlat(Reduction reduction, const ArrayView &view,
                                   Span span) {
  Iterable sequence;
  sequence.lower = indexValue(constantInt(0, span), span);
  sequence.upper = sizeOf(view, span);
  sequence.step = constantInt(1, span);
  auto elementAt = [&](Value position) -> std::optional<Element> {
    ArrayView part = view;
    for (Axis &axis : llvm::reverse(part.axes)) {
      if (axis.fixed)
        continue;
      Value index =
          applyValues(ScalarFunction::remainder, {position, axis.extent}, span);
      position = applyValues(ScalarFunction::floor_divide,
                             {position, axis.extent}, span);
      axis.fixed = axis.lower ? applyValues(ScalarFunction::add,
                                            {axis.lower, index}, span)
                              : index;
    }
    return Element{load(part, span)};
  };
  return reduceOver(reduction, sequence, span, elementAt)->value;
}

std::optional<FunctionLowering::Element>
FunctionLowering::elementOf(Reduction reduction,
                            const syntax::Generator &generator, size_t index,
                            bool &isSteady, Span span) {
  if (index + 1 == generator.clauses.size()) {
    Value element;
    if (!isTruth(reduction.kind))
      element = lowerValue(*generator.element);
    else if (Value truth = lowerCondition(*generator.element))
      element = opened(truth, span);
    return element ? std::optional(Element{element}) : std::nullopt;
  }
  const auto later = ArrayRef(generator.clauses).drop_front(index + 1);
  const bool isPlace = isPosition(reduction.kind);
  std::optional<Reduced> nested = reduceGenerator(
      reduction.inside(isPlace ? hasConditions(later) : reduction.counts),
      generator, index + 1, span);
  if (!nested)
    return std::nullopt;
  if (!isPlace)
    return Element{nested->value, {}, nested->kept};
  // A turn in which there is nothing is not the place of anything. (Where no
  // turn has anything the call is an error, if that can be known.)
  isSteady = standStill(nested->value.getDefiningOp<ReduceOp>(), *region);
  std::optional<Value> turns = nested->kept;
  if (!*turns && !isSteady)
    turns = turnsOf(generator, index + 1, span);
  if (!turns)
    return std::nullopt;
  if (!*turns)
    return Element{nested->value};
  Value some = applyValues(ScalarFunction::greater,
                           {*turns, constantInt(0, span)}, span);
  return Element{nested->value, truthOf({some, {}}, span)};
}

std::optional<FunctionLowering::Element> FunctionLowering::elementIf(
    Reduction reduction, ArrayRef<syntax::ExprPtr> conditions,
    llvm::function_ref<std::optional<Element>()> element, Span span) {
  // What the conditions turn away is not evaluated.
  Block *skip = newBlock(), *end = newBlock();
  for (const syntax::ExprPtr &expr : conditions) {
    Value condition = lowerCondition(*expr);
    if (!condition)
      return std::nullopt;
    Block *next = newBlock();
    cf::CondBranchOp::create(builder, loc(expr->span), condition, next, skip);
    builder.setInsertionPointToStart(next);
  }
  std::optional<Element> kept = element();
  if (!kept)
    return std::nullopt;
  auto flag = [&](bool value) -> Value {
    return materialize({nullptr, Constant{value}}, span);
  };
  Value yes = kept->keep ? kept->keep : truthOf({flag(true), {}}, span);
  SmallVector<Value> found = {kept->value, yes};
  if (kept->count)
    found.push_back(kept->count);
  cf::BranchOp::create(builder, loc(span), end, found);
  builder.setInsertionPointToStart(skip);
  // It does not count; `False` takes every other type, a weak 0 would turn
  // bools into integers, and False a weak count into a typed one.
  const ReduceKind kind = reduction.kind;
  bool isExtremum =
      kind == ReduceKind::Min || kind == ReduceKind::Max || isPosition(kind);
  Value nothing =
      isTruth(kind) || isExtremum ? flag(false) : constantInt(0, span);
  SmallVector<Value> none = {nothing, truthOf({flag(false), {}}, span)};
  if (kept->count)
    none.push_back(constantInt(0, span));
  cf::BranchOp::create(builder, loc(span), end, none);
  builder.setInsertionPointToStart(end);
  for (Value value : found)
    end->addArgument(value.getType(), loc(span));
  return Element{end->getArgument(0), end->getArgument(1),
                 kept->count ? Value(end->getArgument(2)) : Value()};
}

std::optional<FunctionLowering::Reduced>
FunctionLowering::reduceGenerator(Reduction reduction,
                                  const syntax::Generator &generator,
                                  size_t index, Span span) {
  const syntax::GeneratorClause &clause = generator.clauses[index];
  std::optional<Iterable> sequence = iterable(*clause.iterable);
  if (!sequence)
    return std::nullopt;
  // The turns of a range need no counting.
  const bool isRange = index + 1 == generator.clauses.size() &&
                       clause.conditions.empty() && reduction.isPartial;
  Reduction here = reduction;
  here.counts &= !isRange;
  bool isSteady = true;
  std::optional<Reduced> reduced = reduceOver(
      here, *sequence, span, [&](Value position) -> std::optional<Element> {
        std::optional<Binding> turn = sequence->element(position);
        if (!turn)
          return std::nullopt;
        bindTurn(clause, *turn);
        auto element = [&] {
          return elementOf(reduction, generator, index, isSteady, span);
        };
        return clause.conditions.empty()
                   ? element()
                   : elementIf(reduction, clause.conditions, element, span);
      });
  if (!reduced)
    return std::nullopt;
  if (reduction.counts && isRange)
    reduced->kept = countOf(*sequence, span);
  reduced->isSteady = isSteady;
  return reduced;
}

std::optional<Value> FunctionLowering::lowerGenerator(
    ReduceKind kind, const syntax::Generator &generator, Span span) {
  Reduction reduction{kind};
  if (kind == ReduceKind::Mean) {
    reduction.counts =
        generator.clauses.size() > 1 || hasConditions(generator.clauses);
    if (!reduction.counts) {
      std::optional<Iterable> sequence =
          iterable(*generator.clauses.front().iterable);
      if (!sequence)
        return std::nullopt;
      reduction.count = countOf(*sequence, span);
    }
  }
  std::optional<Reduced> reduced =
      reduceGenerator(reduction, generator, 0, span);
  return reduced ? std::optional(reduced->value) : std::nullopt;
}

std::optional<Binding>
FunctionLowering::lowerReduction(StringRef name, const syntax::Call &call,
                                 Span span) {
  ReduceKind kind = *reduceKind(name);
  if (call.arguments.empty()) {
    error(Diag::reduction_generator, span, {name.str()});
    return std::nullopt;
  }
  const syntax::Expr &first = *call.arguments[0];
  const auto *generator = first.as<syntax::Generator>();

  // `max(a, b, c)` of scalars.
  if (!generator && call.arguments.size() > 1) {
    if (kind != ReduceKind::Max && kind != ReduceKind::Min) {
      error(Diag::reduction_generator, span, {name.str()}).help =
          "`" + name.str() + "(x for x in v)`";
      return std::nullopt;
    }
    SmallVector<Number> operands;
    for (const syntax::ExprPtr &argument : call.arguments) {
      std::optional<Number> operand = lowerScalar(*argument);
      if (!operand)
        return std::nullopt;
      operands.push_back(*operand);
    }
    return Binding(applyChained(kind == ReduceKind::Max
                                    ? ScalarFunction::maximum
                                    : ScalarFunction::minimum,
                                operands, span));
  }
  if (call.arguments.size() != 1) {
    error(Diag::reduction_generator, span, {name.str()});
    return std::nullopt;
  }

  std::optional<Value> result;
  if (generator) {
    Environment before = env;
    result = isPosition(kind) ? lowerPosition(kind, *generator, span)
                              : lowerGenerator(kind, *generator, span);
    env = std::move(before);
  } else {
    llvm::SaveAndRestore isReduced(reducing, true);
    std::optional<Binding> operand = lowerExpr(first);
    if (!operand)
      return std::nullopt;
    const auto *view = operand->as<ArrayView>();
    if (!view) {
      if (operand->as<Unusable>())
        return std::nullopt;
      Diagnostic &diagnostic =
          error(Diag::reduction_generator, span, {name.str()});
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
      reduction.count = sizeOf(*view, span);
    result = isPosition(kind) && view->open().size() != 1
                 ? reduceFlat(reduction, *view, span)
                 : reduceArray(reduction, *view, span);
  }
  if (!result)
    return std::nullopt;
  return Binding(*result);
}

} // namespace kern

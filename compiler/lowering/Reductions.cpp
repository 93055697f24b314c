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

static bool isPosition(ReduceKind kind) {
  return kind == ReduceKind::ArgMin || kind == ReduceKind::ArgMax;
}

std::optional<Value> FunctionLowering::reduceOver(
    Reduction reduction, const Iterable &sequence, Span span,
    llvm::function_ref<bool(Value, Value &, Value &)> body) {
  Type open = OpenType::get(builder.getContext());
  auto reduce = ReduceOp::create(
      builder, loc(span), open, reduction.kind, reduction.isPartial,
      sequence.lower, sequence.upper, sequence.step, reduction.count);
  OpBuilder::InsertPoint place = builder.saveInsertionPoint();
  Region *outer = std::exchange(region, &reduce.getBody());
  Environment before = env;
  Block *block = newBlock();
  builder.setInsertionPointToStart(block);
  Value element, keep;
  bool ok = body(block->addArgument(open, loc(span)), element, keep);
  if (ok)
    YieldOp::create(builder, loc(span), element, keep);
  env = std::move(before);
  region = outer;
  builder.restoreInsertionPoint(place);
  if (!ok)
    return std::nullopt;
  return reduce.getResult();
}

Value FunctionLowering::reduceArray(Reduction reduction, const ArrayView &view,
                                    Span span) {
  std::optional<Iterable> sequence = overArray(view, span);
  std::optional<Value> result = reduceOver(
      reduction, *sequence, span, [&](Value index, Value &element, Value &) {
        ArrayView part = atFirst(view, index, span);
        if (!part.open().empty())
          element = reduceArray(reduction.inside(), part, span);
        else
          element = load(part, span);
        if (isTruth(reduction.kind))
          element = opened(truthOf({element, {}}, span), span);
        return true;
      });
  return *result;
}

/// Over all elements in C order, one after the other: positions count through
/// the whole array, as NumPy's.
Value FunctionLowering::reduceFlat(Reduction reduction, const ArrayView &view,
                                   Span span) {
  Iterable sequence;
  sequence.lower = indexValue(constantInt(0, span), span);
  sequence.upper = sizeOf(view, span);
  sequence.step = constantInt(1, span);
  return *reduceOver(
      reduction, sequence, span, [&](Value position, Value &element, Value &) {
        ArrayView part = view;
        for (Axis &axis : llvm::reverse(part.axes)) {
          if (axis.fixed)
            continue;
          Value index = applyValues("remainder", {position, axis.extent}, span);
          position = applyValues("floor_divide", {position, axis.extent}, span);
          axis.fixed = axis.lower
                           ? applyValues("add", {axis.lower, index}, span)
                           : index;
        }
        element = load(part, span);
        return true;
      });
}

std::optional<Value>
FunctionLowering::reduceGenerator(Reduction reduction,
                                  const syntax::Generator &generator,
                                  size_t index, Span span) {
  const ReduceKind kind = reduction.kind;
  const syntax::GeneratorClause &clause = generator.clauses[index];
  std::optional<Iterable> sequence = iterable(*clause.iterable);
  if (!sequence)
    return std::nullopt;
  // The element of this clause: the generator's, or the reduction of the next.
  auto inner = [&]() -> Value {
    if (index + 1 < generator.clauses.size()) {
      std::optional<Value> nested =
          reduceGenerator(reduction.inside(), generator, index + 1, span);
      return nested ? *nested : Value();
    }
    if (reduction.isCount)
      return constantInt(1, span);
    if (isTruth(kind)) {
      Value truth = lowerCondition(*generator.element);
      return truth ? opened(truth, span) : Value();
    }
    return lowerValue(*generator.element);
  };
  return reduceOver(
      reduction, *sequence, span,
      [&](Value position, Value &element, Value &keep) -> bool {
        std::optional<Binding> turn = sequence->element(position);
        if (!turn)
          return false;
        bindTurn(clause, *turn);
        if (clause.conditions.empty()) {
          element = inner();
          return bool(element);
        }
        // What the conditions turn away is not evaluated.
        Block *skip = newBlock(), *end = newBlock();
        for (const syntax::ExprPtr &expr : clause.conditions) {
          Value condition = lowerCondition(*expr);
          if (!condition)
            return false;
          Block *next = newBlock();
          cf::CondBranchOp::create(builder, loc(expr->span), condition, next,
                                   skip);
          builder.setInsertionPointToStart(next);
        }
        Value kept = inner();
        if (!kept)
          return false;
        auto flag = [&](bool value) -> Value {
          return materialize({nullptr, Constant{value}}, span);
        };
        Value yes = truthOf({flag(true), {}}, span);
        cf::BranchOp::create(builder, loc(span), end, ValueRange{kept, yes});
        builder.setInsertionPointToStart(skip);
        // It does not count; `False` takes every other type, a weak 0 would
        // turn bools into integers, and False a weak count into a typed one.
        bool isExtremum = kind == ReduceKind::Min || kind == ReduceKind::Max;
        Value nothing =
            isTruth(kind) || isExtremum ? flag(false) : constantInt(0, span);
        Value no = truthOf({flag(false), {}}, span);
        cf::BranchOp::create(builder, loc(span), end, ValueRange{nothing, no});
        builder.setInsertionPointToStart(end);
        element = end->addArgument(kept.getType(), loc(span));
        keep = end->addArgument(builder.getI1Type(), loc(span));
        return true;
      });
}

static bool hasConditions(const syntax::Generator &generator) {
  return llvm::any_of(generator.clauses, [](const syntax::GeneratorClause &c) {
    return !c.conditions.empty();
  });
}

std::optional<Value>
FunctionLowering::countGenerator(const syntax::Generator &generator,
                                 Span span) {
  if (generator.clauses.size() == 1 && !hasConditions(generator)) {
    std::optional<Iterable> sequence =
        iterable(*generator.clauses.front().iterable);
    return sequence ? std::optional(countOf(*sequence, span)) : std::nullopt;
  }
  Reduction counting{ReduceKind::Sum};
  counting.isCount = true;
  return reduceGenerator(counting, generator, 0, span);
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
    std::optional<Number> result;
    for (const syntax::ExprPtr &argument : call.arguments) {
      std::optional<Number> operand = lowerScalar(*argument);
      if (!operand)
        return std::nullopt;
      result = result ? apply(kind == ReduceKind::Max ? "maximum" : "minimum",
                              {*result, *operand}, span)
                      : *operand;
    }
    return Binding(*result);
  }
  if (call.arguments.size() != 1) {
    error(Diag::reduction_generator, span, {name.str()});
    return std::nullopt;
  }

  std::optional<Value> result;
  if (generator) {
    bool isConditional = hasConditions(*generator);
    if (isPosition(kind) && (isConditional || generator->clauses.size() != 1)) {
      error(Diag::reduction_condition, span, {name.str()}).help =
          "make an array of the values, `argmax` of which counts through all "
          "of it; of what is to be left out, a value that is never chosen";
      return std::nullopt;
    }
    Environment before = env;
    Reduction reduction{kind};
    bool isCounted = kind != ReduceKind::Mean;
    if (!isCounted) {
      std::optional<Value> count = countGenerator(*generator, span);
      isCounted = count.has_value();
      reduction.count = count.value_or(Value());
    }
    if (isCounted)
      result = reduceGenerator(reduction, *generator, 0, span);
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

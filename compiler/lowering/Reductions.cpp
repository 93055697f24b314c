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
      .Cases({"sum", "mean"}, ReduceKind::Sum)
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
    ReduceKind kind, const Iterable &sequence, Span span,
    llvm::function_ref<bool(Value, Value &, Value &)> body) {
  Type open = OpenType::get(builder.getContext());
  auto reduce = ReduceOp::create(builder, loc(span), open, kind, sequence.lower,
                                 sequence.upper, sequence.step);
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

Value FunctionLowering::reduceArray(ReduceKind kind, const ArrayView &view,
                                    Span span) {
  std::optional<Iterable> sequence = overArray(view, span);
  std::optional<Value> result = reduceOver(
      kind, *sequence, span, [&](Value index, Value &element, Value &) {
        ArrayView part = atFirst(view, index, span);
        if (!part.open().empty())
          element = reduceArray(kind, part, span);
        else
          element = load(part, span);
        if (isTruth(kind))
          element = opened(truthOf({element, {}}, span), span);
        return true;
      });
  return *result;
}

/// Over all elements in C order, one after the other: positions count through
/// the whole array, as NumPy's.
Value FunctionLowering::reduceFlat(ReduceKind kind, const ArrayView &view,
                                   Span span) {
  Iterable sequence;
  sequence.lower = indexValue(constantInt(0, span), span);
  sequence.upper = sizeOf(view, span);
  sequence.step = constantInt(1, span);
  return *reduceOver(
      kind, sequence, span, [&](Value position, Value &element, Value &) {
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
FunctionLowering::reduceGenerator(ReduceKind kind,
                                  const syntax::Generator &generator,
                                  size_t index, bool count, Span span) {
  const syntax::GeneratorClause &clause = generator.clauses[index];
  std::optional<Iterable> sequence = iterable(*clause.iterable);
  if (!sequence)
    return std::nullopt;
  // The element of this clause: the generator's, or the reduction of the next.
  auto inner = [&]() -> Value {
    if (index + 1 < generator.clauses.size()) {
      std::optional<Value> nested =
          reduceGenerator(kind, generator, index + 1, count, span);
      return nested ? *nested : Value();
    }
    if (count)
      return constantInt(1, span);
    if (isTruth(kind)) {
      Value truth = lowerCondition(*generator.element);
      return truth ? opened(truth, span) : Value();
    }
    return lowerValue(*generator.element);
  };
  return reduceOver(
      kind, *sequence, span,
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

  Value count;
  std::optional<Value> result;
  if (generator) {
    bool isConditional =
        llvm::any_of(generator->clauses, [](const syntax::GeneratorClause &c) {
          return !c.conditions.empty();
        });
    if (isPosition(kind) && (isConditional || generator->clauses.size() != 1)) {
      error(Diag::reduction_condition, span, {name.str()}).help =
          "make an array of the values, `argmax` of which counts through all "
          "of it; of what is to be left out, a value that is never chosen";
      return std::nullopt;
    }
    Environment before = env;
    result = reduceGenerator(kind, *generator, 0, false, span);
    if (result && name == "mean") {
      std::optional<Value> turns =
          reduceGenerator(kind, *generator, 0, true, span);
      count = turns ? *turns : Value();
    }
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
    result = isPosition(kind) && view->open().size() != 1
                 ? reduceFlat(kind, *view, span)
                 : reduceArray(kind, *view, span);
    count = sizeOf(*view, span);
  }
  if (!result)
    return std::nullopt;
  if (name == "mean")
    result = applyValues("true_divide", {*result, count}, span);
  return Binding(*result);
}

} // namespace kern

//===- Conditions.cpp - comparisons and conditions ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Counting.h"
#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/Scopes.h"
#include "compiler/modules/Names.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

using namespace mlir;

namespace kern::compiler {

/// The most comparisons in a chain `a < b < …`.
static constexpr size_t maxComparisons = 200;

/// What a comparison of two integers that are known, such as extents, gives.
static std::optional<bool> knownComparison(Value value) {
  auto compare = value.getDefiningOp<ir::ApplyOp>();
  if (!compare || compare.getOperands().size() != 2)
    return std::nullopt;
  const std::optional<int64_t> left = knownInteger(compare.getOperand(0)),
                               right = knownInteger(compare.getOperand(1));
  if (!left || !right)
    return std::nullopt;
  switch (compare.getFunction()) {
  case ir::ScalarFunction::less:
    return *left < *right;
  case ir::ScalarFunction::less_equal:
    return *left <= *right;
  case ir::ScalarFunction::greater:
    return *left > *right;
  case ir::ScalarFunction::greater_equal:
    return *left >= *right;
  case ir::ScalarFunction::equal:
    return *left == *right;
  case ir::ScalarFunction::not_equal:
    return *left != *right;
  default:
    return std::nullopt;
  }
}

static std::optional<bool> knownTruth(const FunctionLowering &fn, Value value) {
  if (value && value == fn.decided.first)
    return fn.decided.second;
  auto apply = value.getDefiningOp<ir::ApplyOp>();
  if (!apply || apply.getFunction() != ir::ScalarFunction::logical_not)
    return knownComparison(value);
  const std::optional<bool> operand = knownTruth(fn, apply.getOperand(0));
  return operand ? std::optional(!*operand) : std::nullopt;
}

static std::optional<bool> knownTruth(const FunctionLowering &fn,
                                      const Number &number) {
  return number.constant ? truth(*number.constant)
                         : knownTruth(fn, number.value);
}

namespace {
/// The truth of operands joined by `and` or `or`.
class Decision {
public:
  Decision(FunctionLowering &fn, bool isAnd) : fn(fn), isAnd(isAnd) {}

  void add(std::optional<bool> operand) {
    if (operand == !isAnd)
      isStopped = true;
    isKnown &= operand.has_value();
  }
  /// Whether the next operand is never evaluated.
  bool isDecided() const { return isStopped; }
  std::optional<Binding> of(std::optional<Binding> joined) {
    const auto *number = joined ? joined->as<Number>() : nullptr;
    if (number && number->value && (isStopped || isKnown))
      fn.decided = {number->value, isAnd != isStopped};
    return joined;
  }

private:
  FunctionLowering &fn;
  bool isAnd, isStopped = false, isKnown = true;
};
} // namespace

Value lowerKnownCondition(FunctionLowering &fn, const syntax::Expr &expr,
                          std::optional<bool> &known) {
  if (const auto *compare = expr.as<syntax::Compare>())
    if (std::optional<Value> decided =
            lowerTypeComparison(fn, *compare, expr.span))
      return *decided;
  if (Ranks(fn).of(expr) > 0) {
    const std::string text(fn.diagnostics.sourceManager().text(expr.span));
    fn.error(Diag::array_as_value, expr.span, {text}).help =
        "a condition is `any(" + text + ")` or `all(" + text +
        ")`; those of elements are joined by `&` and `|`: `(a > 0) & (a < 3)`";
    return Value();
  }
  fn.decided = {};
  std::optional<Number> scalar = fn.lowerScalar(expr);
  if (!scalar)
    return Value();
  known = knownTruth(fn, *scalar);
  return fn.truthOf(*scalar, expr.span);
}

Value FunctionLowering::lowerCondition(const syntax::Expr &expr) {
  std::optional<bool> known;
  return lowerKnownCondition(*this, expr, known);
}

/// `x in (1, 2)` and `x not in (1, 2)`: whether a number equals one of several.
static std::optional<Binding> lowerMembership(FunctionLowering &fn,
                                              const syntax::Compare &compare,
                                              Span span) {
  auto refuse = [&] {
    fn.error(Diag::membership_operator, span, {"in"}).help = insteadOfIn;
    return std::nullopt;
  };
  if (compare.rest.size() != 1)
    return refuse();
  const auto &[op, right] = compare.rest.front();
  std::optional<Number> value = fn.lowerScalar(*compare.first);
  std::vector<Binding> among;
  if (const auto *list = right->as<syntax::List>()) {
    for (const syntax::ExprPtr &expr : list->elements)
      if (std::optional<Binding> element = fn.lowerExpr(*expr))
        among.push_back(*element);
      else
        return std::nullopt;
  } else {
    std::optional<Binding> tuple = fn.lowerExpr(*right);
    if (!tuple)
      return std::nullopt;
    if (!tuple->as<Tuple>())
      return refuse();
    among = tuple->as<Tuple>()->elements();
  }
  if (!value)
    return std::nullopt;
  Number found{nullptr, Constant{false}};
  for (const Binding &element : among) {
    std::optional<Number> other = fn.scalarOf(element, right->span);
    if (!other)
      return std::nullopt;
    Number equal = fn.apply(ir::ScalarFunction::equal, {*value, *other}, span);
    found = fn.apply(ir::ScalarFunction::logical_or, {found, equal}, span);
  }
  if (op == syntax::CompareOp::In)
    return Binding(found);
  return Binding(fn.apply(ir::ScalarFunction::logical_not, {found}, span));
}

void warnOfNan(FunctionLowering &fn, syntax::CompareOp op, const Compared &left,
               const Compared &right, Span span) {
  auto isNan = [](const Number &number) {
    const double *value = number.constant
                              ? std::get_if<double>(&number.constant->value)
                              : nullptr;
    return value && std::isnan(*value);
  };
  const bool isLeft = isNan(left.value);
  if (isLeft == isNan(right.value)) // both: a test of constants
    return;
  const bool differs = op == syntax::CompareOp::Ne;
  const Span other = (isLeft ? right : left).expr.span;
  Diagnostic &warning = fn.diagnostics.report(Diag::nan_comparison, span,
                                              {differs ? "true" : "false"});
  if (differs || op == syntax::CompareOp::Eq)
    warning.help = "write `" + std::string(differs ? "not " : "") + "isnan(" +
                   textAt(fn, other) + ")`";
}

/// Reports a comparison of arrays that NumPy has no answer for either: `0 < v <
/// 2` and `v in (1, 2)`. False for one of numbers.
static bool refuseArrays(FunctionLowering &fn, const syntax::Compare &compare) {
  const bool isMembership = hasMembership(compare);
  if (compare.rest.size() == 1 && !isMembership)
    return false;
  const syntax::Expr *array =
      Ranks(fn).of(*compare.first) > 0 ? compare.first.get() : nullptr;
  for (const auto &part : compare.rest)
    if (!array && !isMembership && Ranks(fn).of(*part.second) > 0)
      array = part.second.get();
  if (!array)
    return false;
  const std::string name = textAt(fn, array->span);
  // `0 < v` of `0 < v < 2`, and so on.
  auto pair = [&](const syntax::Expr &left, const syntax::Expr &right) {
    return "(" + textAt(fn, {left.span.file, left.span.begin, right.span.end}) +
           ")";
  };
  const auto &rest = compare.rest;
  fn.error(Diag::array_as_value, array->span, {name}).help =
      "conditions of elements are joined by `&` and `|`: `" +
      (isMembership ? "(" + name + " == 1) | (" + name + " == 2)"
                    : pair(*compare.first, *rest[0].second) + " & " +
                          pair(*rest[0].second, *rest[1].second)) +
      "`";
  return true;
}

std::optional<Binding> lowerCompare(FunctionLowering &fn,
                                    const syntax::Compare &compare, Span span) {
  if (std::optional<Value> decided = lowerTypeComparison(fn, compare, span)) {
    if (!*decided)
      return std::nullopt;
    return Binding(fn.opened(*decided, span));
  }
  if (refuseArrays(fn, compare))
    return std::nullopt;
  if (hasMembership(compare))
    return lowerMembership(fn, compare, span);
  std::optional<Number> left = fn.lowerScalar(*compare.first);
  if (!left)
    return std::nullopt;
  if (compare.rest.size() == 1) {
    std::optional<Number> right = fn.lowerScalar(*compare.rest[0].second);
    if (!right)
      return std::nullopt;
    warnOfNan(fn, compare.rest[0].first, {*compare.first, *left},
              {*compare.rest[0].second, *right}, span);
    return Binding(
        fn.apply(functionOf(compare.rest[0].first), {*left, *right}, span));
  }
  if (compare.rest.size() > maxComparisons) {
    fn.error(Diag::too_deep, span, {std::to_string(maxComparisons)}).help =
        "join parts of it by `and`";
    return std::nullopt;
  }
  // In `a < b < c`, b is evaluated once, and c only if `a < b` holds.
  EnvScope own(fn);
  ValueJoin paths(fn);
  llvm::SaveAndRestore dead(fn.isDead);
  Decision decision(fn, /*isAnd=*/true);
  for (auto [index, part] : llvm::enumerate(compare.rest)) {
    std::optional<Number> right = fn.lowerScalar(*part.second);
    if (!right)
      return std::nullopt;
    const syntax::Expr &before =
        index == 0 ? *compare.first : *compare.rest[index - 1].second;
    warnOfNan(fn, part.first, {before, *left}, {*part.second, *right},
              {span.file, before.span.begin, part.second->span.end});
    Number holds = fn.apply(functionOf(part.first), {*left, *right}, span);
    left = right;
    decision.add(knownTruth(fn, holds));
    if (index + 1 == compare.rest.size()) {
      paths.arrive(holds);
      break;
    }
    Block *next = fn.newBlock(), *stop = fn.newBlock();
    cf::CondBranchOp::create(fn.builder, fn.loc(span), fn.truthOf(holds, span),
                             next, stop);
    paths.arrive(stop, holds);
    fn.builder.setInsertionPointToStart(next);
    fn.isDead |= decision.isDecided();
  }
  return decision.of(paths.join(span));
}

std::optional<Binding> lowerLogical(FunctionLowering &fn,
                                    ArrayRef<syntax::ExprPtr> operands,
                                    bool isAnd, Span span) {
  // Each operand but the last decides the result or leaves it to the next.
  // Inference visits a join once for each path that leads to it. Many operands
  // are therefore lowered in groups, each of which is an operand itself.
  constexpr size_t maxPaths = 16;
  size_t perGroup = 1;
  while (operands.size() > perGroup * maxPaths)
    perGroup *= maxPaths;
  EnvScope own(fn);
  ValueJoin paths(fn);
  llvm::SaveAndRestore dead(fn.isDead);
  Decision decision(fn, isAnd);
  for (size_t begin = 0; begin < operands.size(); begin += perGroup) {
    Value condition;
    std::optional<bool> known;
    if (perGroup == 1)
      condition = lowerKnownCondition(fn, *operands[begin], known);
    else if (std::optional<Binding> group = lowerLogical(
                 fn, operands.slice(begin).take_front(perGroup), isAnd, span)) {
      known = knownTruth(fn, *group->as<Number>());
      condition = fn.truthOf(*group->as<Number>(), span);
    }
    if (!condition)
      return std::nullopt;
    decision.add(known);
    if (begin + perGroup >= operands.size()) {
      paths.arrive(fn.opened(condition, span));
      break;
    }
    Block *next = fn.newBlock(), *stop = fn.newBlock();
    cf::CondBranchOp::create(fn.builder, fn.loc(span), condition,
                             isAnd ? next : stop, isAnd ? stop : next);
    paths.arrive(stop, Constant{!isAnd});
    fn.builder.setInsertionPointToStart(next);
    fn.isDead |= decision.isDecided();
  }
  return decision.of(paths.join(span));
}

std::optional<Binding> lowerConditional(FunctionLowering &fn,
                                        const syntax::Conditional &expr,
                                        Span span) {
  std::optional<bool> known;
  Value condition = lowerKnownCondition(fn, *expr.condition, known);
  if (!condition)
    return std::nullopt;
  bool failed = false;
  SmallVector<Binding, 2> values;
  Binding result = onBranches(
      fn, condition, expr,
      [&](const syntax::Expr &branch) {
        llvm::SaveAndRestore dead(fn.isDead);
        fn.isDead |= known == (&branch == expr.otherwise.get());
        std::optional<Binding> value = fn.lowerExpr(branch);
        failed |= !value;
        values.push_back(value ? *value : Poisoned{Poisoned::Failed, span});
        return values.back();
      },
      span);
  // Which function is called is known here; a path decides nothing then.
  if (!failed && known && values[!*known].as<FunctionName>())
    return values[!*known];
  if (failed)
    return std::nullopt;
  if (const auto *poisoned = result.as<Poisoned>()) {
    if (poisoned->reason == Poisoned::Conflict)
      reportConflict(fn, "the value", *poisoned, span);
    return std::nullopt;
  }
  return result;
}

} // namespace kern::compiler

//===- Conditions.cpp - truth, and what it decides ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/FunctionLowering.h"
#include "compiler/modules/Names.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern {

Value FunctionLowering::lowerCondition(const syntax::Expr &expr) {
  if (const auto *compare = expr.as<syntax::Compare>())
    if (std::optional<Value> decided = lowerTypeComparison(*compare, expr.span))
      return *decided;
  std::optional<Number> scalar = lowerScalar(expr);
  return scalar ? truthOf(*scalar, expr.span) : Value();
}

std::optional<Binding>
FunctionLowering::lowerCompare(const syntax::Compare &compare, Span span) {
  if (std::optional<Value> decided = lowerTypeComparison(compare, span)) {
    if (!*decided)
      return std::nullopt;
    return Binding(opened(*decided, span));
  }
  if (hasMembership(compare)) {
    error(Diag::membership_operator, span, {"in"}).help = insteadOfIn;
    return std::nullopt;
  }
  std::optional<Number> left = lowerScalar(*compare.first);
  if (!left)
    return std::nullopt;
  if (compare.rest.size() == 1) {
    std::optional<Number> right = lowerScalar(*compare.rest[0].second);
    if (!right)
      return std::nullopt;
    return Binding(
        apply(functionOf(compare.rest[0].first), {*left, *right}, span));
  }
  if (compare.rest.size() > maxComparisons) {
    error(Diag::too_deep, span, {std::to_string(maxComparisons)}).help =
        "join parts of it by `and`";
    return std::nullopt;
  }
  // `a < b < c`: b is evaluated once, and c only when `a < b` holds.
  Environment outer = env;
  std::vector<Edge> edges;
  for (auto [index, part] : llvm::enumerate(compare.rest)) {
    std::optional<Number> right = lowerScalar(*part.second);
    if (!right) {
      env = std::move(outer);
      return std::nullopt;
    }
    Number holds = apply(functionOf(part.first), {*left, *right}, span);
    left = right;
    env = {};
    env.emplace("value", Binding(holds));
    if (index + 1 == compare.rest.size()) {
      edges.push_back(edge());
      break;
    }
    Block *next = newBlock(), *stop = newBlock();
    cf::CondBranchOp::create(builder, loc(span), truthOf(holds, span), next,
                             stop);
    edges.push_back({stop, env});
    builder.setInsertionPointToStart(next);
    env = outer;
  }
  join(std::move(edges), span);
  Binding result = env.find("value")->second;
  env = std::move(outer);
  return result;
}

std::optional<Binding>
FunctionLowering::lowerLogical(ArrayRef<syntax::ExprPtr> operands, bool isAnd,
                               Span span) {
  // Each operand but the last decides the result, or leaves it to the next.
  // Inference looks at a join once for each path that leads to it, so that
  // many operands are taken in groups, which are operands then.
  constexpr size_t mostPaths = 16;
  size_t perGroup = 1;
  while (operands.size() > perGroup * mostPaths)
    perGroup *= mostPaths;
  Environment outer = env;
  std::vector<Edge> edges;
  for (size_t begin = 0; begin < operands.size(); begin += perGroup) {
    Value condition;
    if (perGroup == 1)
      condition = lowerCondition(*operands[begin]);
    else if (std::optional<Binding> group = lowerLogical(
                 operands.slice(begin).take_front(perGroup), isAnd, span))
      condition = truthOf(*group->as<Number>(), span);
    if (!condition) {
      env = std::move(outer);
      return std::nullopt;
    }
    env = {};
    if (begin + perGroup >= operands.size()) {
      env.emplace("value", Binding(opened(condition, span)));
      edges.push_back(edge());
      break;
    }
    Block *next = newBlock(), *stop = newBlock();
    cf::CondBranchOp::create(builder, loc(span), condition, isAnd ? next : stop,
                             isAnd ? stop : next);
    env.emplace("value", Binding(Constant{!isAnd}));
    edges.push_back({stop, env});
    builder.setInsertionPointToStart(next);
    env = outer;
  }
  join(std::move(edges), span);
  Binding result = env.find("value")->second;
  env = std::move(outer);
  return result;
}

std::optional<Binding>
FunctionLowering::lowerConditional(const syntax::Conditional &expr, Span span) {
  Value condition = lowerCondition(*expr.condition);
  if (!condition)
    return std::nullopt;
  Block *then = newBlock(), *otherwise = newBlock();
  cf::CondBranchOp::create(builder, loc(span), condition, then, otherwise);
  Environment outer = env;
  std::vector<Edge> edges;
  bool failed = false;
  for (auto [block, branch] : {std::pair(then, expr.value.get()),
                               std::pair(otherwise, expr.otherwise.get())}) {
    builder.setInsertionPointToStart(block);
    env = outer;
    std::optional<Binding> value = lowerExpr(*branch);
    failed |= !value;
    env = {};
    env.emplace("value",
                value ? *value : Binding(Unusable{Unusable::Failed, span}));
    edges.push_back(edge());
  }
  join(std::move(edges), span);
  Binding result = env.find("value")->second;
  env = std::move(outer);
  if (failed)
    return std::nullopt;
  if (const auto *unusable = result.as<Unusable>()) {
    if (unusable->reason == Unusable::Conflict)
      reportConflict("the value", *unusable, span);
    return std::nullopt;
  }
  return result;
}

} // namespace kern

//===- MissingReturn.cpp - why a function can end without a value ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/MissingReturn.h"

#include "llvm/ADT/STLExtras.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {

/// Whether a `break` in the block leaves the loop around it.
static bool breaksOut(const Block &block) {
  return llvm::any_of(block, [](const StmtPtr &stmt) {
    if (const auto *branch = stmt->as<If>())
      return breaksOut(branch->then) || breaksOut(branch->otherwise);
    if (const auto *loop = stmt->as<For>())
      return breaksOut(loop->otherwise);
    if (const auto *loop = stmt->as<While>())
      return breaksOut(loop->otherwise);
    return stmt->as<Break>() != nullptr;
  });
}

static const Expr *endlessCondition(const Stmt &stmt) {
  const auto *loop = stmt.as<While>();
  const auto *literal = loop ? loop->condition->as<BoolLiteral>() : nullptr;
  return literal && literal->value && !breaksOut(loop->body)
             ? loop->condition.get()
             : nullptr;
}

const Expr *endlessCondition(const Block &block) {
  for (const StmtPtr &stmt : block) {
    const Expr *found = endlessCondition(*stmt);
    if (const auto *branch = stmt->as<If>(); branch && !found) {
      found = endlessCondition(branch->then);
      if (!found)
        found = endlessCondition(branch->otherwise);
    } else if (const auto *loop = stmt->as<For>(); loop && !found) {
      found = endlessCondition(loop->body);
      if (!found)
        found = endlessCondition(loop->otherwise);
    } else if (const auto *loop = stmt->as<While>(); loop && !found) {
      found = endlessCondition(loop->body);
      if (!found)
        found = endlessCondition(loop->otherwise);
    }
    if (found)
      return found;
  }
  return nullptr;
}

/// Whether control never reaches the end of the block.
static bool ends(const Block &block) {
  return llvm::any_of(block, [](const StmtPtr &stmt) {
    const auto *branch = stmt->as<If>();
    return stmt->as<Return>() || endlessCondition(*stmt) ||
           (branch && ends(branch->then) && ends(branch->otherwise));
  });
}

/// The names of a target, written as a value: `a` or `a, b`; else empty.
static std::string valueOf(const Expr &target) {
  if (const auto *name = target.as<Name>())
    return name->name;
  std::string text;
  if (const auto *tuple = target.as<Tuple>())
    for (const ExprPtr &element : tuple->elements) {
      const auto *name = element->as<Name>();
      if (!name)
        return {};
      text += (text.empty() ? "" : ", ") + name->name;
    }
  return text;
}

static MissingReturn afterValue(Span place, const std::string &value) {
  if (value.empty())
    return {};
  return {place, "the function ends after this", "add `return " + value + "`"};
}

static MissingReturn
explain(const Block &block,
        llvm::function_ref<bool(const std::string &)> isVariable) {
  if (block.empty())
    return {};
  const Stmt &last = *block.back();
  if (const auto *assign = last.as<Assign>())
    return afterValue(assign->targets.front()->span,
                      valueOf(*assign->targets.front()));
  if (const auto *assign = last.as<AugmentedAssign>())
    return afterValue(assign->target->span, valueOf(*assign->target));
  if (const auto *assign = last.as<AnnotatedAssign>())
    return afterValue(assign->name.span, assign->name.name);
  if (last.as<ExprStmt>())
    return {last.span, "the function ends after this",
            "write `return` before the value"};
  if (const auto *loop = last.as<While>())
    return {loop->condition->span, "the function ends after this loop",
            "return a value after the loop as well"};
  if (const auto *loop = last.as<For>())
    return {loop->iterable->span, "the function ends after this loop",
            "return a value after the loop as well"};
  const auto *branch = last.as<If>();
  if (!branch)
    return {};
  const Span place = branch->condition->span;
  if (!ends(branch->then) && branch->otherwise.empty())
    return {place, "the function ends after this `if`",
            "return a value after the `if` as well"};
  if (!ends(branch->then))
    return explain(branch->then, isVariable);
  if (!branch->otherwise.empty())
    return explain(branch->otherwise, isVariable);
  return {place, "where this is false, nothing is returned",
          isOfTypes(*branch->condition, isVariable)
              ? "paths are checked once, for all types: let the last of them "
                "be an `else:`"
              : "return a value after the `if`, or in an `else:`"};
}

MissingReturn explainMissingReturn(const Function &function) {
  auto isVariable = [&](const std::string &name) {
    return llvm::any_of(function.where, [&](const WhereClause &clause) {
      return llvm::any_of(clause.variables, [&](const Identifier &variable) {
        return variable.name == name;
      });
    });
  };
  return explain(function.body, isVariable);
}

bool isOfTypes(const Expr &condition,
               llvm::function_ref<bool(const std::string &)> isVariable) {
  auto isOne = [&](const Expr &expr) {
    const auto *name = expr.as<Name>();
    return name && isVariable(name->name);
  };
  if (const auto *compare = condition.as<Compare>())
    return isOne(*compare->first) ||
           llvm::any_of(compare->rest,
                        [&](const auto &part) { return isOne(*part.second); });
  if (const auto *logical = condition.as<Logical>())
    return llvm::any_of(logical->operands, [&](const ExprPtr &operand) {
      return isOfTypes(*operand, isVariable);
    });
  const auto *negation = condition.as<Unary>();
  return negation && isOfTypes(*negation->operand, isVariable);
}

bool mayHaveNoResults(const syntax::Function &function) {
  return !function.hasArrow &&
         llvm::any_of(function.parameters,
                      [](const auto &parameter) { return parameter.isInout; });
}

} // namespace kern::compiler

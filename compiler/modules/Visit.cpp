//===- Visit.cpp - the expressions of a body ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/Visit.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {

void visitParts(const Expr &expr, ExprVisitor visit) {
  auto each = [&](const auto &list) {
    for (const ExprPtr &part : list)
      visit(*part);
  };
  if (const auto *node = expr.as<Unary>()) {
    visit(*node->operand);
  } else if (const auto *node = expr.as<Binary>()) {
    visit(*node->left);
    visit(*node->right);
  } else if (const auto *node = expr.as<Compare>()) {
    visit(*node->first);
    for (const auto &[op, operand] : node->rest)
      visit(*operand);
  } else if (const auto *node = expr.as<Logical>()) {
    each(node->operands);
  } else if (const auto *node = expr.as<Conditional>()) {
    visit(*node->condition);
    visit(*node->value);
    visit(*node->otherwise);
  } else if (const auto *node = expr.as<Call>()) {
    visit(*node->function);
    each(node->arguments);
    for (const auto &[name, value] : node->keywords)
      visit(*value);
  } else if (const auto *node = expr.as<syntax::Attribute>()) {
    visit(*node->value);
  } else if (const auto *node = expr.as<Subscript>()) {
    visit(*node->value);
    for (const Index &index : node->indices)
      for (const ExprPtr *part :
           {&index.value, &index.lower, &index.upper, &index.step})
        if (*part)
          visit(**part);
  } else if (const auto *node = expr.as<syntax::Tuple>()) {
    each(node->elements);
  } else if (const auto *node = expr.as<syntax::List>()) {
    each(node->elements);
  } else if (const auto *node = expr.as<Generator>()) {
    visit(*node->element);
    for (const GeneratorClause &clause : node->clauses) {
      visit(*clause.iterable);
      each(clause.conditions);
    }
  }
}

void visitBlock(const Block &block, ExprVisitor visit) {
  for (const StmtPtr &stmt : block) {
    if (const auto *node = stmt->as<Assign>()) {
      visit(*node->value);
      for (const ExprPtr &target : node->targets)
        visit(*target);
    } else if (const auto *node = stmt->as<AnnotatedAssign>()) {
      visit(*node->value);
    } else if (const auto *node = stmt->as<AugmentedAssign>()) {
      visit(*node->target);
      visit(*node->value);
    } else if (const auto *node = stmt->as<ExprStmt>()) {
      visit(*node->value);
    } else if (const auto *node = stmt->as<If>()) {
      visit(*node->condition);
      visitBlock(node->then, visit);
      visitBlock(node->otherwise, visit);
    } else if (const auto *node = stmt->as<While>()) {
      visit(*node->condition);
      visitBlock(node->body, visit);
      visitBlock(node->otherwise, visit);
    } else if (const auto *node = stmt->as<For>()) {
      visit(*node->iterable);
      visitBlock(node->body, visit);
      visitBlock(node->otherwise, visit);
    } else if (const auto *node = stmt->as<Return>()) {
      if (node->value)
        visit(*node->value);
    } else if (const auto *node = stmt->as<Assert>()) {
      visit(*node->condition);
    }
  }
}

void visitStatements(const Block &block,
                     llvm::function_ref<void(const Stmt &)> visit) {
  for (const StmtPtr &stmt : block) {
    visit(*stmt);
    if (const auto *node = stmt->as<If>()) {
      visitStatements(node->then, visit);
      visitStatements(node->otherwise, visit);
    } else if (const auto *node = stmt->as<While>()) {
      visitStatements(node->body, visit);
      visitStatements(node->otherwise, visit);
    } else if (const auto *node = stmt->as<For>()) {
      visitStatements(node->body, visit);
      visitStatements(node->otherwise, visit);
    }
  }
}

} // namespace kern::compiler

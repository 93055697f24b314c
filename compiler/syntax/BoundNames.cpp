//===- BoundNames.cpp - every name that a file binds ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/Tree.h"

namespace kern::compiler::syntax {
namespace {

/// One class, since a visitor has a method for each kind of node.
struct Collector {
  std::set<std::string> names;

  void target(const Expr &expr) {
    if (const auto *name = expr.as<Name>())
      names.insert(name->name);
    else if (const auto *tuple = expr.as<Tuple>())
      for (const ExprPtr &element : tuple->elements)
        target(*element);
    else
      value(&expr);
  }

  /// Every name in a dimension is bound.
  void dimension(const Expr &expr) {
    if (const auto *name = expr.as<Name>()) {
      names.insert(name->name);
    } else if (const auto *binary = expr.as<Binary>()) {
      dimension(*binary->left);
      dimension(*binary->right);
    } else if (const auto *call = expr.as<Call>()) {
      for (const ExprPtr &argument : call->arguments)
        dimension(*argument);
    }
  }
  void type(const TypeSyntax &type) {
    for (const DimSyntax &dim : type.dims)
      dimension(*dim.expr);
  }

  // Generators in a value bind names.
  void value(const ExprPtr &expr) { value(expr.get()); }
  void value(const Expr *expr) {
    if (expr)
      std::visit(*this, expr->node);
  }
  void values(const std::vector<ExprPtr> &list) {
    for (const ExprPtr &expr : list)
      value(expr);
  }
  template <typename Leaf> void operator()(const Leaf &) {}
  void operator()(const Unary &node) { value(node.operand); }
  void operator()(const Binary &node) {
    value(node.left);
    value(node.right);
  }
  void operator()(const Compare &node) {
    value(node.first);
    for (const auto &entry : node.rest)
      value(entry.second);
  }
  void operator()(const Logical &node) { values(node.operands); }
  void operator()(const Conditional &node) {
    value(node.condition);
    value(node.value);
    value(node.otherwise);
  }
  void operator()(const Call &node) {
    value(node.function);
    values(node.arguments);
    for (const auto &entry : node.keywords)
      value(entry.second);
  }
  void operator()(const Attribute &node) { value(node.value); }
  void operator()(const Subscript &node) {
    value(node.value);
    for (const Index &index : node.indices)
      for (const ExprPtr *part :
           {&index.value, &index.lower, &index.upper, &index.step})
        value(*part);
  }
  void operator()(const Tuple &node) { values(node.elements); }
  void operator()(const Generator &node) {
    value(node.element);
    for (const GeneratorClause &clause : node.clauses) {
      target(*clause.target);
      value(clause.iterable);
      values(clause.conditions);
    }
  }

  void block(const Block &statements) {
    for (const StmtPtr &statement : statements)
      std::visit(*this, statement->node);
  }
  void operator()(const Assign &node) {
    for (const ExprPtr &expr : node.targets)
      target(*expr);
    value(node.value);
  }
  void operator()(const AnnotatedAssign &node) {
    names.insert(node.name.name);
    type(node.type);
    value(node.value);
  }
  void operator()(const AugmentedAssign &node) {
    target(*node.target);
    value(node.value);
  }
  void operator()(const ExprStmt &node) { value(node.value); }
  void operator()(const If &node) {
    value(node.condition);
    block(node.then);
    block(node.otherwise);
  }
  void operator()(const While &node) {
    value(node.condition);
    block(node.body);
  }
  void operator()(const For &node) {
    target(*node.target);
    value(node.iterable);
    block(node.body);
  }
  void operator()(const Return &node) { value(node.value); }
  void operator()(const Assert &node) { value(node.condition); }

  void operator()(const Function &function) {
    names.insert(function.name.name);
    for (const Parameter &parameter : function.parameters) {
      names.insert(parameter.name.name);
      if (parameter.type)
        type(*parameter.type);
    }
    for (const Result &result : function.results) {
      if (result.name)
        names.insert(result.name->name);
      type(result.type);
    }
    for (const WhereClause &clause : function.where)
      for (const Identifier &variable : clause.variables)
        names.insert(variable.name);
    block(function.body);
  }
  void operator()(const Const &constant) {
    names.insert(constant.name.name);
    value(constant.value);
  }
  void operator()(const Import &import) {
    for (const auto &[name, alias] : import.names)
      if (alias && alias->name != name.name)
        names.insert(alias->name);
  }
};

} // namespace

std::set<std::string> boundNames(const Function &function) {
  Collector collector;
  collector(function);
  return std::move(collector.names);
}

std::set<std::string> boundNames(const File &file) {
  Collector collector;
  for (const Item &item : file.items)
    std::visit(collector, item.node);
  return std::move(collector.names);
}

} // namespace kern::compiler::syntax

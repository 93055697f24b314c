//===- Combination.cpp - what a function of two parameters does -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Combination.h"

#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <utility>

namespace kern::compiler {

namespace {
syntax::File parsed(std::string_view source) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  return syntax::parse(sources.add("", std::string(source)), diagnostics);
}

bool defines(const syntax::File &tree, std::string_view name) {
  return std::ranges::any_of(tree.items, [&](const syntax::Item &item) {
    if (const auto *function = std::get_if<syntax::Function>(&item.node))
      return function->name.name == name;
    if (const auto *constant = std::get_if<syntax::Const>(&item.node))
      return constant->name.name == name;
    const auto &import = std::get<syntax::Import>(item.node);
    return import.module.name == name ||
           (import.alias && import.alias->name == name) ||
           std::ranges::any_of(import.names, [&](const auto &one) {
             return (one.second ? *one.second : one.first).name == name;
           });
  });
}

Combination ofOperator(syntax::BinaryOp op) {
  switch (op) {
  case syntax::BinaryOp::Add:
    return Combination::Add;
  case syntax::BinaryOp::Mul:
    return Combination::Multiply;
  case syntax::BinaryOp::BitAnd:
    return Combination::And;
  case syntax::BinaryOp::BitOr:
    return Combination::Or;
  case syntax::BinaryOp::BitXor:
    return Combination::Xor;
  default:
    return Combination::Other;
  }
}

/// "maximum" of `maximum` and of `np.maximum`; "" of anything else, and of what
/// the source defines itself.
std::string_view languageFunction(const syntax::File &tree,
                                  const syntax::Expr &callee) {
  if (const auto *plain = callee.as<syntax::Name>())
    return defines(tree, plain->name) ? "" : std::string_view(plain->name);
  const auto *attribute = callee.as<syntax::Attribute>();
  const auto *prefix =
      attribute ? attribute->value->as<syntax::Name>() : nullptr;
  const bool isNumpy =
      prefix && prefix->name == "np" && !defines(tree, prefix->name);
  return isNumpy ? std::string_view(attribute->name.name) : "";
}

Combination ofFunction(std::string_view name) {
  static constexpr std::pair<std::string_view, Combination> known[] = {
      {"maximum", Combination::Maximum},
      {"max", Combination::Maximum},
      {"minimum", Combination::Minimum},
      {"min", Combination::Minimum},
      {"logical_and", Combination::LogicalAnd},
      {"logical_or", Combination::LogicalOr}};
  for (auto [function, combination] : known)
    if (name == function)
      return combination;
  return Combination::Other;
}

/// What an expression does with its two operands.
struct Combined {
  Combination combination = Combination::Other;
  const syntax::Expr *left = nullptr, *right = nullptr;
};

Combined combinedBy(const syntax::File &tree, const syntax::Expr &value) {
  if (const auto *binary = value.as<syntax::Binary>())
    return {ofOperator(binary->op), binary->left.get(), binary->right.get()};
  if (const auto *logical = value.as<syntax::Logical>();
      logical && logical->operands.size() == 2)
    return {logical->op == syntax::BoolOp::And ? Combination::LogicalAnd
                                               : Combination::LogicalOr,
            logical->operands[0].get(), logical->operands[1].get()};
  if (const auto *call = value.as<syntax::Call>();
      call && call->arguments.size() == 2 && call->keywords.empty())
    return {ofFunction(languageFunction(tree, *call->function)),
            call->arguments[0].get(), call->arguments[1].get()};
  return {};
}

bool isName(const syntax::Expr *value, const std::string &name) {
  const auto *found = value ? value->as<syntax::Name>() : nullptr;
  return found && found->name == name;
}
} // namespace

Combination combinationOf(std::string_view source, const std::string &name) {
  const syntax::File tree = parsed(source);
  for (const syntax::Item &item : tree.items) {
    const auto *function = std::get_if<syntax::Function>(&item.node);
    if (!function || function->name.name != name ||
        function->body.size() != 1 || function->parameters.size() != 2)
      continue;
    const auto *last = function->body[0]->as<syntax::Return>();
    if (!last || !last->value)
      return Combination::Other;
    const Combined found = combinedBy(tree, *last->value);
    if (isName(found.left, function->parameters[0].name.name) &&
        isName(found.right, function->parameters[1].name.name))
      return found.combination;
    return Combination::Other;
  }
  return Combination::Other;
}

bool definesName(std::string_view source, std::string_view name) {
  return defines(parsed(source), name);
}

} // namespace kern::compiler

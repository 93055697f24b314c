//===- LaterReads.cpp - whether a value is read after a loop --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {
namespace {

/// What statements do first with a name's value.
enum class Use : uint8_t { None, Reads, Replaces };

/// Looks for the first use of a name.
class FirstUse {
public:
  FirstUse(const std::string &name, bool isResult)
      : name(name), isResult(isResult) {}

  Use of(const Block &block, size_t begin = 0);
  /// In what follows a loop; nothing if the block does not hold the loop.
  std::optional<Use> after(const Block &loop, const Block &block);

private:
  Use of(const Stmt &stmt);
  bool reads(const Expr &expr);
  bool binds(const Expr &target) {
    std::set<std::string> names;
    collectTargets(target, names);
    return names.count(name);
  }

  const std::string &name;
  bool isResult;
};

} // namespace

bool FirstUse::reads(const Expr &expr) {
  if (const auto *read = expr.as<Name>())
    return read->name == name;
  if (const auto *generator = expr.as<Generator>())
    for (const GeneratorClause &clause : generator->clauses)
      if (binds(*clause.target)) // the generator's own
        return reads(*generator->clauses.front().iterable);
  bool found = false;
  visitParts(expr, [&](const Expr &part) { found = found || reads(part); });
  return found;
}

Use FirstUse::of(const Stmt &stmt) {
  auto choose = [&](const Block &one, const Block &other) {
    Use first = of(one), second = of(other);
    if (first == Use::Reads || second == Use::Reads)
      return Use::Reads;
    return first == second ? first : Use::None;
  };
  if (const auto *node = stmt.as<Assign>()) {
    bool isRead = reads(*node->value), isBound = false;
    for (const ExprPtr &target : node->targets) {
      isBound |= binds(*target);
      isRead |= !target->as<Name>() && !isBound && reads(*target);
    }
    return isRead ? Use::Reads : isBound ? Use::Replaces : Use::None;
  }
  if (const auto *node = stmt.as<AnnotatedAssign>())
    return reads(*node->value)       ? Use::Reads
           : node->name.name == name ? Use::Replaces
                                     : Use::None;
  if (const auto *node = stmt.as<AugmentedAssign>())
    return reads(*node->value) || reads(*node->target) ? Use::Reads : Use::None;
  if (const auto *node = stmt.as<ExprStmt>())
    return reads(*node->value) ? Use::Reads : Use::None;
  if (const auto *node = stmt.as<Assert>())
    return reads(*node->condition) ? Use::Reads : Use::None;
  if (const auto *node = stmt.as<If>())
    return reads(*node->condition) ? Use::Reads
                                   : choose(node->then, node->otherwise);
  if (const auto *node = stmt.as<While>())
    return reads(*node->condition) ? Use::Reads
                                   : choose(node->body, node->otherwise);
  if (const auto *node = stmt.as<For>()) {
    if (reads(*node->iterable))
      return Use::Reads;
    const Block none;
    return choose(binds(*node->target) ? none : node->body, node->otherwise);
  }
  if (const auto *node = stmt.as<Return>())
    return (node->value ? reads(*node->value) : isResult) ? Use::Reads
                                                          : Use::Replaces;
  return Use::None;
}

Use FirstUse::of(const Block &block, size_t begin) {
  for (size_t i = begin; i < block.size(); ++i)
    if (Use use = of(*block[i]); use != Use::None)
      return use;
  return Use::None;
}

std::optional<Use> FirstUse::after(const Block &loop, const Block &block) {
  // In what follows the loop, if it is the one with this body or within it.
  auto inside = [&](const Block &body,
                    const Block &otherwise) -> std::optional<Use> {
    if (&body == &loop)
      return of(otherwise);
    std::optional<Use> use = after(loop, body);
    return use ? use : after(loop, otherwise);
  };
  for (size_t i = 0; i < block.size(); ++i) {
    std::optional<Use> use;
    if (const auto *node = block[i]->as<For>())
      use = inside(node->body, node->otherwise);
    else if (const auto *node = block[i]->as<While>())
      use = inside(node->body, node->otherwise);
    else if (const auto *node = block[i]->as<If>())
      use = inside(node->then, node->otherwise);
    if (use)
      return *use == Use::None ? of(block, i + 1) : *use;
  }
  return std::nullopt;
}

bool isReadAfter(const Block &body, const Block &loop, const std::string &name,
                 bool isResult) {
  Use use = FirstUse(name, isResult).after(loop, body).value_or(Use::None);
  return use == Use::Reads || (use == Use::None && isResult);
}

} // namespace kern::compiler

//===- Callees.cpp - what calls name --------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Calls.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"

namespace kern::compiler {

using namespace ir;
using syntax::Expr;

std::optional<Callee> calleeNamed(const NamesInBody &names,
                                  const Expr &called) {
  ModuleScope &scope = names.scope;
  if (const auto *attribute = called.as<syntax::Attribute>()) {
    const auto *prefix = attribute->value->as<syntax::Name>();
    if (!prefix || names.env.count(prefix->name))
      return std::nullopt;
    llvm::StringRef name = attribute->name.name;
    if (ModuleScope *module = scope.module(prefix->name)) {
      auto function = module->function(name);
      return function ? std::optional(Callee{name, function}) : std::nullopt;
    }
    return scope.isLibrary(prefix->name)
               ? std::optional(Callee{name, std::nullopt})
               : std::nullopt;
  }
  const auto *name = called.as<syntax::Name>();
  if (!name)
    return std::nullopt;
  if (auto found = names.env.find(name->name); found != names.env.end()) {
    const auto *bound = found->second.as<FunctionName>();
    return bound ? std::optional(Callee{bound->name, bound->function})
                 : std::nullopt;
  }
  if (std::optional<ScopedFunction> function = scope.function(name->name))
    return Callee{name->name, function};
  return Callee{scope.libraryName(name->name), std::nullopt};
}

bool takesNumbers(ModuleScope &scope, llvm::StringRef name, size_t arguments) {
  if (name == "max" || name == "min")
    return arguments > 1;
  if (isLanguageFunction(name))
    return false;
  if (typeName(name, /*pythonNames=*/true))
    return arguments == 1;
  const ScalarFunctionInfo *row = scalarFunctionNamed(name);
  if (row && (row->inputs == arguments || takesMore(row->function)))
    return row->outputs == 1;
  return llvm::any_of(scope.libraryFunctions(name),
                      [&](const ScopedFunction &each) {
                        return each.function->parameters.size() == arguments &&
                               each.function->kind == syntax::ItemKind::Ufunc;
                      });
}

namespace {
/// Looks for what only arrays have, in a `def` and in those that it calls.
class NumbersAlone {
public:
  bool hold(const ScopedFunction &def);

private:
  bool holds(const Expr &expr, ModuleScope &scope);
  bool calls(const syntax::Call &call, ModuleScope &scope);
  bool returnsNumbers(const syntax::Block &body);

  std::set<const syntax::Function *> seen;
};
} // namespace

bool NumbersAlone::calls(const syntax::Call &call, ModuleScope &scope) {
  const size_t count = call.arguments.size() + call.keywords.size();
  std::optional<ScopedFunction> function;
  llvm::StringRef name;
  if (const auto *plain = call.function->as<syntax::Name>()) {
    function = scope.function(plain->name);
    name = scope.libraryName(plain->name);
  } else if (const auto *dotted = call.function->as<syntax::Attribute>()) {
    const auto *prefix = dotted->value->as<syntax::Name>();
    ModuleScope *module = prefix ? scope.module(prefix->name) : nullptr;
    if (module)
      function = module->function(dotted->name.name);
    else if (prefix && scope.isLibrary(prefix->name))
      name = dotted->name.name;
    else
      return dotted->name.name == "view";
  }
  if (!function)
    return takesNumbers(scope, name, count);
  return function->function->kind == syntax::ItemKind::Ufunc ||
         (function->function->kind == syntax::ItemKind::Def && hold(*function));
}

bool NumbersAlone::holds(const Expr &expr, ModuleScope &scope) {
  if (expr.as<syntax::Subscript>() || expr.as<syntax::Generator>())
    return false;
  if (const auto *attribute = expr.as<syntax::Attribute>())
    if (llvm::is_contained({"shape", "size", "ndim", "T"},
                           attribute->name.name))
      return false;
  bool all = true;
  auto part = [&](const Expr &each) { all = all && holds(each, scope); };
  if (const auto *call = expr.as<syntax::Call>()) {
    for (const syntax::ExprPtr &argument : call->arguments)
      part(*argument);
    for (const auto &[keyword, argument] : call->keywords)
      part(*argument);
    return all && calls(*call, scope);
  }
  visitParts(expr, part);
  return all;
}

bool NumbersAlone::returnsNumbers(const syntax::Block &body) {
  bool all = true, some = false;
  visitStatements(body, [&](const syntax::Stmt &stmt) {
    if (const auto *node = stmt.as<syntax::Return>()) {
      some = true;
      all = all && node->value && !node->value->as<syntax::Tuple>();
    }
  });
  return all && some;
}

bool NumbersAlone::hold(const ScopedFunction &def) {
  constexpr size_t most = 100;
  const syntax::Function &function = *def.function;
  if (seen.size() > most)
    return false;
  if (!seen.insert(&function).second)
    return true; // it is being looked at
  if (!returnsNumbers(function.body))
    return false;
  // The ranges of loops are not values.
  std::set<const Expr *> ranges;
  bool all = true;
  visitStatements(function.body, [&](const syntax::Stmt &stmt) {
    const auto *loop = stmt.as<syntax::For>();
    const auto *range = loop ? loop->iterable->as<syntax::Call>() : nullptr;
    const auto *name = range ? range->function->as<syntax::Name>() : nullptr;
    all = all && (!loop || (name && name->name == "range"));
    if (loop && name)
      ranges.insert(loop->iterable.get());
  });
  visitBlock(function.body, [&](const Expr &expr) {
    if (ranges.count(&expr))
      visitParts(expr, [&](const Expr &bound) {
        all = all && holds(bound, *def.scope);
      });
    else
      all = all && holds(expr, *def.scope);
  });
  return all;
}

bool takesNumbers(const ScopedFunction &def) {
  return def.function->kind == syntax::ItemKind::Def &&
         NumbersAlone().hold(def);
}

} // namespace kern::compiler

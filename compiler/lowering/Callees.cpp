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
    return bound && !bound->chosen
               ? std::optional(Callee{bound->name, bound->function})
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
  if (row && takes(*row, arguments))
    return row->outputs == 1;
  return llvm::any_of(scope.libraryFunctions(name),
                      [&](const ScopedFunction &each) {
                        return each.function->parameters.size() == arguments &&
                               each.function->kind == syntax::ItemKind::Ufunc;
                      });
}

std::vector<const syntax::Name *> functionsIn(const Expr &expr,
                                              ModuleScope &scope) {
  if (const auto *choice = expr.as<syntax::Conditional>()) {
    std::vector<const syntax::Name *> all = functionsIn(*choice->value, scope);
    llvm::append_range(all, functionsIn(*choice->otherwise, scope));
    return all;
  }
  const auto *name = expr.as<syntax::Name>();
  if (name && (scope.function(name->name) ||
               scope.isLibraryFunction(scope.libraryName(name->name))))
    return {name};
  return {};
}

namespace {
/// Looks for what only arrays have, in a `def` and in those that it calls.
class NumbersAlone {
public:
  bool hold(const ScopedFunction &def);

private:
  /// A body, and the functions that names in it may be bound to.
  struct Body {
    ModuleScope &scope;
    std::map<std::string, std::vector<const syntax::Name *>> functions = {};
  };
  bool holds(const Expr &expr, const Body &body);
  bool calls(const syntax::Call &call, const Body &body);
  bool callsNamed(const std::string &name, size_t count, ModuleScope &scope);
  bool calls(const ScopedFunction &function) {
    return function.function->kind == syntax::ItemKind::Ufunc ||
           (function.function->kind == syntax::ItemKind::Def && hold(function));
  }
  bool returnsNumbers(const syntax::Block &body);

  std::set<const syntax::Function *> seen;
};
} // namespace

bool NumbersAlone::callsNamed(const std::string &name, size_t count,
                              ModuleScope &scope) {
  std::optional<ScopedFunction> function = scope.function(name);
  return function ? calls(*function)
                  : takesNumbers(scope, scope.libraryName(name), count);
}

bool NumbersAlone::calls(const syntax::Call &call, const Body &body) {
  const size_t count = call.arguments.size() + call.keywords.size();
  ModuleScope &scope = body.scope;
  if (const auto *plain = call.function->as<syntax::Name>()) {
    auto bound = body.functions.find(plain->name);
    if (bound == body.functions.end() || bound->second.empty())
      return callsNamed(plain->name, count, scope);
    return llvm::all_of(bound->second, [&](const syntax::Name *name) {
      return callsNamed(name->name, count, scope);
    });
  }
  const auto *dotted = call.function->as<syntax::Attribute>();
  const auto *prefix = dotted ? dotted->value->as<syntax::Name>() : nullptr;
  if (!dotted)
    return false;
  if (ModuleScope *module = prefix ? scope.module(prefix->name) : nullptr) {
    auto function = module->function(dotted->name.name);
    return function && calls(*function);
  }
  return prefix && scope.isLibrary(prefix->name)
             ? takesNumbers(scope, dotted->name.name, count)
             : llvm::is_contained({"view", "copy", "item"}, dotted->name.name);
}

bool NumbersAlone::holds(const Expr &expr, const Body &body) {
  if (expr.as<syntax::Subscript>() || expr.as<syntax::Generator>())
    return false;
  if (const auto *attribute = expr.as<syntax::Attribute>())
    if (llvm::is_contained({"shape", "size", "ndim", "T"},
                           attribute->name.name))
      return false;
  bool all = true;
  auto part = [&](const Expr &each) { all = all && holds(each, body); };
  if (const auto *call = expr.as<syntax::Call>()) {
    for (const syntax::ExprPtr &argument : call->arguments)
      part(*argument);
    for (const auto &[keyword, argument] : call->keywords)
      part(*argument);
    return all && calls(*call, body);
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
  Body body{*def.scope};
  bool all = true;
  visitStatements(function.body, [&](const syntax::Stmt &stmt) {
    const auto *loop = stmt.as<syntax::For>();
    const auto *range = loop ? loop->iterable->as<syntax::Call>() : nullptr;
    const auto *name = range ? range->function->as<syntax::Name>() : nullptr;
    all = all && (!loop || (name && name->name == "range"));
    if (loop && name)
      ranges.insert(loop->iterable.get());
    if (const auto *bound = stmt.as<syntax::Assign>())
      if (const auto *target = bound->targets.front()->as<syntax::Name>())
        llvm::append_range(body.functions[target->name],
                           functionsIn(*bound->value, body.scope));
  });
  visitBlock(function.body, [&](const Expr &expr) {
    if (ranges.count(&expr))
      visitParts(expr,
                 [&](const Expr &bound) { all = all && holds(bound, body); });
    else
      all = all && holds(expr, body);
  });
  return all;
}

bool takesNumbers(const ScopedFunction &def) {
  return def.function->kind == syntax::ItemKind::Def &&
         NumbersAlone().hold(def);
}

} // namespace kern::compiler

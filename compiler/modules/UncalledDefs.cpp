//===- UncalledDefs.cpp - names in helpers that nobody calls --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/ModuleScope.h"

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {
namespace {

/// The deepest nesting that is looked at; deeper bodies are rejected when
/// called.
constexpr unsigned maxNesting = 1000;

class Checker {
public:
  Checker(const Function &function, ModuleScope &scope)
      : function(function), scope(scope) {
    for (const Parameter &parameter : function.parameters)
      locals.insert(parameter.name.name);
    for (const WhereClause &clause : function.where)
      for (const Identifier &variable : clause.variables)
        locals.insert(variable.name);
    collectAssigned(function.body, locals);
  }

  void run() {
    visitBlock(function.body, [&](const Expr &expr) { check(expr); });
  }

private:
  void check(const Expr &expr);
  void checkCallee(const Expr &callee);
  bool checkPrefixed(const syntax::Attribute &attribute);
  bool isKnown(const std::string &name);
  bool reaches(const ScopedFunction &from, std::set<const Function *> &seen);
  void unknown(Diag id, Span span, const std::string &name);

  const Function &function;
  ModuleScope &scope;
  std::set<std::string> locals;
  std::set<std::string> reported;
  unsigned nesting = 0;
};

bool Checker::isKnown(const std::string &name) {
  std::string_view library = scope.libraryName(name);
  return locals.count(name) || scope.constant(name) || scope.isFailed(name) ||
         scope.function(name) || scope.module(name) ||
         scope.isLibraryFunction(library) || libraryConstant(library) ||
         typeName(library, true);
}

void Checker::unknown(Diag id, Span span, const std::string &name) {
  if (!reported.insert(name).second)
    return;             // reported before
  if (name == "None") { // an argument of a call
    scope.diagnostics().report(Diag::none_value, span).give(insteadOf(name));
    return;
  }
  Diagnostic &diagnostic = scope.diagnostics().report(id, span, {name});
  diagnostic.give(scope.helpFor(
      name, std::vector<std::string_view>(locals.begin(), locals.end())));
}

/// Checks `m.f` or `np.sqrt`; false if the prefix is neither a module nor the
/// library.
bool Checker::checkPrefixed(const syntax::Attribute &attribute) {
  const auto *prefix = attribute.value->as<Name>();
  if (!prefix || locals.count(prefix->name))
    return false;
  const std::string &name = attribute.name.name;
  if (ModuleScope *module = scope.module(prefix->name)) {
    if (!module->function(name) && !module->constant(name) &&
        !module->isFailed(name))
      scope.diagnostics().report(Diag::unknown_import, attribute.name.span,
                                 {prefix->name, name});
    return true;
  }
  return scope.isFailed(prefix->name) || scope.isLibrary(prefix->name);
}

/// Whether a function calls, directly or not, the one that is checked.
bool Checker::reaches(const ScopedFunction &from,
                      std::set<const Function *> &seen) {
  if (from.function == &function)
    return true;
  if (!seen.insert(from.function).second)
    return false;
  bool found = false;
  auto visit = [&](const Expr &expr, auto &self) -> void {
    if (nesting > maxNesting || found)
      return;
    if (const auto *call = expr.as<Call>())
      if (const auto *name = call->function->as<Name>())
        if (std::optional<ScopedFunction> callee =
                from.scope->function(name->name))
          found |= reaches(*callee, seen);
    ++nesting;
    visitParts(expr, [&](const Expr &part) { self(part, self); });
    --nesting;
  };
  visitBlock(from.function->body,
             [&](const Expr &expr) { visit(expr, visit); });
  return found;
}

void Checker::checkCallee(const Expr &callee) {
  if (const auto *attribute = callee.as<syntax::Attribute>()) {
    if (!checkPrefixed(*attribute))
      check(*attribute->value);
    return;
  }
  const auto *name = callee.as<Name>();
  if (!name || locals.count(name->name))
    return;
  if (!isKnown(name->name))
    return unknown(Diag::unknown_function, callee.span, name->name);
  std::set<const Function *> seen;
  if (std::optional<ScopedFunction> called = scope.function(name->name);
      called && reaches(*called, seen))
    scope.diagnostics()
        .report(Diag::recursion, callee.span, {function.name.name})
        .help = insteadOfRecursion(scope, function.name.name);
}

void Checker::check(const Expr &expr) {
  if (nesting > maxNesting)
    return;
  ++nesting;
  if (const auto *name = expr.as<Name>()) {
    if (!isKnown(name->name))
      unknown(Diag::unknown_name, expr.span, name->name);
  } else if (const auto *call = expr.as<Call>()) {
    checkCallee(*call->function);
    for (const ExprPtr &argument : call->arguments)
      check(*argument);
    for (const auto &[keyword, value] : call->keywords)
      check(*value);
  } else if (const auto *attribute = expr.as<syntax::Attribute>()) {
    if (!checkPrefixed(*attribute))
      check(*attribute->value);
  } else if (const auto *generator = expr.as<Generator>()) {
    llvm::SaveAndRestore own(locals);
    for (const GeneratorClause &clause : generator->clauses)
      collectTargets(*clause.target, locals);
    visitParts(expr, [&](const Expr &part) { check(part); });
  } else {
    visitParts(expr, [&](const Expr &part) { check(part); });
  }
  --nesting;
}

} // namespace

void checkUncalled(const Function &function, ModuleScope &scope) {
  Checker(function, scope).run();
}

} // namespace kern::compiler

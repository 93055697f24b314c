//===- ModuleScope.cpp - the names of a file ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/ModuleScope.h"

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/modules/Modules.h"
#include "compiler/modules/Names.h"
#include "runtime/error/Counted.h"
#include "runtime/error/NearestName.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {

/// A `def` has no types of its own.
static void checkUntyped(const Function &function,
                         DiagnosticEngine &diagnostics) {
  std::optional<Span> declared;
  std::string typedDefault;
  for (const Parameter &parameter : function.parameters) {
    if (parameter.isInout)
      diagnostics.report(Diag::inout_misplaced, parameter.span).help =
          "a `def` may write to what it is given, if its caller may";
    if (!parameter.type || declared)
      continue;
    declared = parameter.type->span;
    const std::string_view type =
        diagnostics.sourceManager().text(parameter.type->span);
    if (parameter.defaultValue && typeName(llvm::StringRef(type), true))
      typedDefault = "`" + parameter.name.name + "=" + std::string(type) + "(" +
                     std::string(diagnostics.sourceManager().text(
                         parameter.defaultValue->span)) +
                     ")` has this type where no argument is given; else ";
  }
  if (!declared && !function.results.empty())
    declared = function.results.front().type.span;
  if (!declared && !function.where.empty())
    declared = function.where.front().span;
  if (declared)
    diagnostics.report(Diag::def_with_types, *declared).help =
        typedDefault +
        "leave it out, and convert in the body where it matters: `f32(x)`; a "
        "`ufunc` or `gufunc` has declared types and can be called as well";
}

ModuleScope::ModuleScope(const File &file, Modules &modules, bool isPrelude)
    : file(file), modules(modules) {
  for (const Item &item : file.items) {
    if (const auto *function = std::get_if<Function>(&item.node)) {
      if (!isPrelude && isNew(function->name))
        functions[function->name.name] = function;
      if (function->kind == ItemKind::Def)
        checkUntyped(*function, diagnostics());
    } else if (const auto *constant = std::get_if<Const>(&item.node)) {
      if (isNew(constant->name))
        constants.emplace(constant->name.name, ConstantEntry{constant});
    } else if (const auto *import = std::get_if<Import>(&item.node)) {
      addImport(*import);
    }
  }
  for (const Item &item : file.items)
    if (const auto *constant = std::get_if<Const>(&item.node))
      if (auto found = constants.find(constant->name.name);
          found != constants.end() && found->second.item == constant)
        evaluate(found->second);
}

DiagnosticEngine &ModuleScope::diagnostics() const {
  return modules.diagnostics();
}

bool ModuleScope::isNew(const Identifier &name) {
  auto [entry, inserted] = seen.try_emplace(name.name, name.span);
  if (!inserted)
    diagnostics()
        .report(Diag::redefinition, name.span, {name.name})
        .notes.push_back({entry->second, "it was defined here first"});
  return inserted;
}

//===----------------------------------------------------------------------===//
// Imports
//===----------------------------------------------------------------------===//

bool ModuleScope::defines(std::string_view name) const {
  return functions.count(name) || constants.count(name) ||
         importedNames.count(name);
}

void ModuleScope::addImport(const Import &import) {
  bool isLibrary = isLibraryPrefix(import.module.name);
  ModuleScope *scope =
      isLibrary ? nullptr : modules.import(import.module, file.file);
  bool failed = !isLibrary && !scope;
  if (import.names.empty()) {
    const Identifier &name = import.alias ? *import.alias : import.module;
    // Repeating `import numpy as np` is allowed.
    if (isLibrary && importedModules.count(name.name))
      return;
    if (!isNew(name))
      return;
    if (failed)
      failedImports.insert(name.name);
    else
      importedModules[name.name] = scope;
    return;
  }
  for (const auto &[name, alias] : import.names) {
    const Identifier &local = alias ? *alias : name;
    bool exists = isLibrary ? libraryConstant(name.name).has_value() ||
                                  isLibraryFunction(name.name) ||
                                  typeName(name.name, true).has_value()
                            : failed || scope->defines(name.name);
    if (!exists) {
      Diagnostic &diagnostic = diagnostics().report(
          Diag::unknown_import, name.span, {import.module.name, name.name});
      std::vector<std::string_view> known =
          isLibrary ? namesOfLibrary() : scope->names();
      diagnostic.give(Help::didYouMean(runtime::nearestName(name.name, known)));
    }
    // Names of the library need no import.
    if (isLibrary && local.name == name.name && exists)
      continue;
    if (!isNew(local))
      continue;
    if (failed || !exists)
      failedImports.insert(local.name);
    else
      importedNames[local.name] = {scope, name.name};
  }
}

std::optional<ScopedFunction> ModuleScope::function(std::string_view name) {
  if (auto found = functions.find(name); found != functions.end())
    return ScopedFunction{found->second, this};
  if (auto found = importedNames.find(name);
      found != importedNames.end() && found->second.scope)
    return found->second.scope->function(found->second.name);
  return std::nullopt;
}

ModuleScope *ModuleScope::module(std::string_view name) const {
  auto found = importedModules.find(name);
  return found == importedModules.end() ? nullptr : found->second;
}

std::string_view ModuleScope::importedAs(std::string_view name) const {
  for (const Item &item : file.items)
    if (const auto *import = std::get_if<Import>(&item.node);
        import && import->alias && import->names.empty() &&
        import->module.name == name)
      return import->alias->name;
  return {};
}

bool ModuleScope::isLibrary(std::string_view name) const {
  auto found = importedModules.find(name);
  return found == importedModules.end() ? isLibraryPrefix(name)
                                        : !found->second;
}

bool ModuleScope::isNumPy(std::string_view name) const {
  auto meansNumPy = [](std::string_view module) {
    return module == "np" || module == "numpy";
  };
  if (!isLibrary(name))
    return false;
  for (const Item &item : file.items)
    if (const auto *import = std::get_if<Import>(&item.node);
        import && import->names.empty() && import->alias &&
        import->alias->name == name)
      return meansNumPy(import->module.name);
  return meansNumPy(name);
}

bool hasNumPyOptions(const syntax::Call &call, const ModuleScope &scope) {
  const auto *function = call.function->as<syntax::Attribute>();
  const auto *prefix = function ? function->value->as<syntax::Name>() : nullptr;
  if (!prefix || !scope.isNumPy(prefix->name))
    return false;
  const std::optional<size_t> count = numpyArguments(function->name.name);
  return count && call.arguments.size() > *count;
}

std::string calledAs(const std::string &name, const syntax::Call &call) {
  return call.isMethod ? "." + name : name;
}

std::string insteadOfRecursion(const ModuleScope &scope,
                               const std::string &name) {
  return scope.isLibraryFunction(name)
             ? "write a loop, or call the library's function, `np." + name + "`"
             : "write a loop";
}

std::string oneRowHelp(const std::string &function) {
  return "a body calls it for one row at a time: `" + function +
         "(x[i])` in a `for i in prange(m)`";
}

Diagnostic &reportNumPyOptions(const syntax::Call &call, Span span,
                               DiagnosticEngine &diagnostics) {
  const std::string &name = call.function->as<syntax::Attribute>()->name.name;
  const size_t given = call.arguments.size() - call.isMethod;
  const size_t takes = *numpyArguments(name) - call.isMethod;
  const std::optional<LanguageFunction> function = languageFunction(name);
  const bool hasAxis = function && isReduction(*function) && given > takes + 1;
  Diagnostic &diagnostic = diagnostics.report(
      Diag::wrong_argument_count, span,
      {call.isMethod ? "." + name : "np." + name,
       (hasAxis ? std::to_string(takes) + " or " : std::string()) +
           runtime::counted(takes + hasAxis, "argument"),
       std::to_string(given) + (given == 1 ? " is" : " are")});
  const bool isExtremum = name == "max" || name == "min";
  diagnostic.help =
      hasAxis ? "the axis is an argument; others have names, as "
                "`keepdims=True`"
      : isExtremum
          ? "NumPy's next argument is the axis of an array; numbers are "
            "compared by `" +
                name + "imum(a, b)`, or by `" + name + "(a, b)` without `np.`"
      : name == "sort" || name == "argsort" || name == "median" ||
              name == "partition" || name == "cumsum" || name == "cumprod"
          ? "NumPy's next argument is an axis; " + oneRowHelp(name)
      : isLanguageFunction(name)
          ? "NumPy's next argument is the axis of an array"
      : name == "nan_to_num"
          ? "NumPy's next argument is `copy`; name yours: `nan_to_num(x, "
            "nan=0.0, posinf=1.0, neginf=-1.0)`"
          : "NumPy's next argument is an array for the result; `" + name +
                "` without `np.` is that of Python's `math`";
  return diagnostic;
}

std::string_view ModuleScope::libraryName(std::string_view name) const {
  auto found = importedNames.find(name);
  bool isImported = found != importedNames.end() && !found->second.scope;
  return isImported ? std::string_view(found->second.name) : name;
}

std::vector<ScopedFunction>
ModuleScope::libraryFunctions(std::string_view name) const {
  return modules.preludeFunctions(unaliased(llvm::StringRef(name)));
}

bool ModuleScope::isLibraryFunction(std::string_view name) const {
  return isLanguageFunction(name) || scalarFunctionNamed(name) ||
         !libraryFunctions(name).empty();
}

std::vector<std::string_view> ModuleScope::namesOfLibrary() const {
  std::vector<std::string_view> list = libraryNames();
  for (std::string_view name : modules.preludeNames())
    list.push_back(name);
  return list;
}

bool ModuleScope::isFailed(std::string_view name) const {
  if (failedImports.count(name))
    return true;
  if (auto found = importedNames.find(name);
      found != importedNames.end() && found->second.scope)
    return found->second.scope->isFailed(found->second.name);
  auto found = constants.find(name);
  return found != constants.end() &&
         found->second.state == ConstantEntry::Failed;
}

std::vector<std::string_view> ModuleScope::names() const {
  std::vector<std::string_view> list;
  for (const auto &entry : functions)
    list.push_back(entry.first);
  for (const auto &entry : constants)
    list.push_back(entry.first);
  for (const auto &entry : importedNames)
    list.push_back(entry.first);
  for (const auto &entry : importedModules)
    list.push_back(entry.first);
  return list;
}

Help ModuleScope::helpFor(std::string_view name,
                          std::vector<std::string_view> more) const {
  if (std::string_view instead = insteadOf(name); !instead.empty())
    return instead;
  std::string_view near = kernNameOf(name);
  // C's functions for float, as `sinf`.
  std::string_view stem = name.substr(0, name.size() - name.ends_with('f'));
  if (near.empty() && stem != name && scalarFunctionNamed(stem))
    near = stem;
  if (near.empty() && !diagnostics().isFull()) {
    for (std::string_view known : names())
      more.push_back(known);
    for (std::string_view library : namesOfLibrary())
      more.push_back(library);
    near = runtime::nearestName(name, more);
  }
  return Help::didYouMean(near);
}

void ModuleScope::noteInlined(const Function &function) {
  modules.noteInlined(function);
}

const NamedConstant *ModuleScope::constant(std::string_view name) {
  if (auto imported = importedNames.find(name);
      imported != importedNames.end() && imported->second.scope)
    return imported->second.scope->constant(imported->second.name);
  auto found = constants.find(name);
  if (found == constants.end())
    return nullptr;
  ConstantEntry &entry = found->second;
  evaluate(entry);
  if (entry.state == ConstantEntry::Evaluating) {
    // The constants from its first occurrence to here form a cycle.
    Diagnostic &diagnostic = diagnostics().report(
        Diag::const_cycle, entry.item->name.span, {std::string(name)});
    bool isInside = false;
    for (const ConstantEntry *other : evaluating) {
      if (isInside)
        diagnostic.notes.push_back(
            {other->item->name.span,
             "through `" + other->item->name.name + "`"});
      isInside |= other == &entry;
    }
    entry.state = ConstantEntry::Failed;
  }
  return entry.state == ConstantEntry::Done ? &entry.constant : nullptr;
}

} // namespace kern::compiler

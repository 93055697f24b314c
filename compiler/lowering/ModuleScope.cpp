//===- ModuleScope.cpp - the names of a file ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ModuleScope.h"

#include "compiler/lowering/Names.h"

using namespace kern::syntax;

namespace kern {

ModuleScope::ModuleScope(const File &file, DiagnosticEngine &diagnostics)
    : engine(diagnostics) {
  std::map<std::string_view, Span> seen;
  auto isNew = [&](const Identifier &name) {
    auto [entry, inserted] = seen.try_emplace(name.name, name.span);
    if (!inserted)
      engine.report(Diag::redefinition, name.span, {name.name})
          .notes.push_back({entry->second, "it was defined here first"});
    return inserted;
  };
  for (const Item &item : file.items) {
    if (const auto *function = std::get_if<Function>(&item.node)) {
      if (isNew(function->name))
        functions[function->name.name] = function;
    } else if (const auto *constant = std::get_if<Const>(&item.node)) {
      if (isNew(constant->name))
        addConstant(*constant);
    } else if (const auto *import = std::get_if<Import>(&item.node)) {
      if (!isLibraryPrefix(import->module.name))
        engine.report(Diag::import_unsupported, item.span,
                      {import->module.name});
    }
  }
}

void ModuleScope::addConstant(const Const &item) {
  std::optional<DType> type;
  if (item.type && item.type->element) {
    type = typeName(item.type->element->name, false);
    if (!type)
      engine.report(Diag::unknown_type, item.type->element->span,
                    {item.type->element->name});
  }
  std::optional<Constant> value = evaluateConstant(*item.value, *this);
  if (!value) {
    failedConstants.insert(item.name.name);
    return;
  }
  constants.insert_or_assign(item.name.name,
                             NamedConstant{*value, type, item.name.span});
}

const Function *ModuleScope::function(std::string_view name) const {
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

const NamedConstant *ModuleScope::constant(std::string_view name) const {
  auto found = constants.find(name);
  return found == constants.end() ? nullptr : &found->second;
}

std::vector<std::string_view> ModuleScope::names() const {
  std::vector<std::string_view> list;
  for (const auto &entry : functions)
    list.push_back(entry.first);
  for (const auto &entry : constants)
    list.push_back(entry.first);
  return list;
}

//===----------------------------------------------------------------------===//
// Constant expressions
//===----------------------------------------------------------------------===//

namespace {
struct Evaluator {
  ModuleScope &scope;

  std::nullopt_t refuse(const Expr &expr) {
    std::string_view text = scope.diagnostics().sourceManager().text(expr.span);
    scope.diagnostics().report(Diag::const_not_constant, expr.span,
                               {std::string(text)});
    return std::nullopt;
  }

  std::optional<Constant> apply(const Expr &expr, llvm::StringRef function,
                                llvm::ArrayRef<const Expr *> operands) {
    llvm::SmallVector<Constant> values;
    for (const Expr *operand : operands) {
      std::optional<Constant> value = evaluate(*operand);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    if (std::optional<Constant> result = fold(function, values))
      return result;
    return refuse(expr);
  }

  std::optional<Constant> evaluate(const Expr &expr) {
    if (const auto *literal = expr.as<IntegerLiteral>()) {
      if (literal->value >> 127)
        return refuse(expr);
      return Constant{__int128(literal->value)};
    }
    if (const auto *literal = expr.as<FloatLiteral>())
      return Constant{literal->value};
    if (const auto *literal = expr.as<ImaginaryLiteral>())
      return Constant{std::complex<double>(0, literal->value)};
    if (const auto *literal = expr.as<BoolLiteral>())
      return Constant{literal->value};
    if (expr.as<ErrorExpr>())
      return std::nullopt;
    if (const auto *name = expr.as<Name>()) {
      if (const NamedConstant *constant = scope.constant(name->name))
        return constant->value;
      if (std::optional<Constant> constant = libraryConstant(name->name))
        return constant;
      if (scope.isFailedConstant(name->name))
        return std::nullopt;
      return refuse(expr);
    }
    if (const auto *attribute = expr.as<Attribute>()) {
      const auto *prefix = attribute->value->as<Name>();
      if (prefix && isLibraryPrefix(prefix->name))
        if (auto constant = libraryConstant(attribute->name.name))
          return constant;
      return refuse(expr);
    }
    if (const auto *unary = expr.as<Unary>())
      return apply(expr, functionOf(unary->op), {unary->operand.get()});
    if (const auto *binary = expr.as<Binary>())
      return apply(expr, functionOf(binary->op),
                   {binary->left.get(), binary->right.get()});
    if (const auto *conditional = expr.as<Conditional>()) {
      std::optional<Constant> condition = evaluate(*conditional->condition);
      if (!condition)
        return std::nullopt;
      return evaluate(truth(*condition) ? *conditional->value
                                        : *conditional->otherwise);
    }
    if (const auto *compare = expr.as<syntax::Compare>();
        compare && compare->rest.size() == 1)
      return apply(expr, functionOf(compare->rest[0].first),
                   {compare->first.get(), compare->rest[0].second.get()});
    if (const auto *call = expr.as<Call>(); call && call->keywords.empty()) {
      const auto *name = call->function->as<Name>();
      std::string_view called = name ? name->name : std::string_view();
      if (const auto *attribute = call->function->as<Attribute>())
        if (const auto *prefix = attribute->value->as<Name>();
            prefix && isLibraryPrefix(prefix->name))
          called = attribute->name.name;
      llvm::StringRef function = scalarFunctionName(called);
      llvm::SmallVector<const Expr *> operands;
      for (const ExprPtr &argument : call->arguments)
        operands.push_back(argument.get());
      if (!function.empty() && !operands.empty())
        return apply(expr, function, operands);
    }
    return refuse(expr);
  }
};
} // namespace

std::optional<Constant> evaluateConstant(const Expr &expr, ModuleScope &scope) {
  return Evaluator{scope}.evaluate(expr);
}

} // namespace kern

//===- Header.cpp - a function's header -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Header.h"

#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/Kern.h"

#include <algorithm>

using namespace mlir;
using namespace kern::compiler::syntax;

namespace kern::compiler {

using namespace ir;

/// The names in a dimension's expression.
static void
forEachName(const Expr &expr,
            llvm::function_ref<void(StringRef name, Span span)> visit) {
  if (const auto *name = expr.as<Name>())
    return visit(name->name, expr.span);
  if (const auto *binary = expr.as<Binary>()) {
    forEachName(*binary->left, visit);
    forEachName(*binary->right, visit);
  }
  if (const auto *call = expr.as<Call>())
    for (const ExprPtr &argument : call->arguments)
      forEachName(*argument, visit);
}

namespace {
using mlir::Attribute; // not syntax::Attribute

constexpr __int128 largestSize = __int128(1) << 62;

class HeaderLowering {
public:
  HeaderLowering(const Function &function, MLIRContext *context,
                 ModuleScope &scope)
      : function(function), builder(context), scope(scope),
        diagnostics(scope.diagnostics()) {}

  std::optional<Header> lower() {
    unsigned before = diagnostics.errors();
    lowerWhere(function, builder, diagnostics, header);
    std::map<std::string_view, Span> seen;
    for (const Parameter &parameter : function.parameters) {
      auto [entry, isNew] =
          seen.try_emplace(parameter.name.name, parameter.name.span);
      if (!isNew)
        diagnostics
            .report(Diag::redefinition, parameter.name.span,
                    {parameter.name.name})
            .notes.push_back({entry->second, "the first one is here"});
      lowerParameter(parameter);
    }
    for (const Result &result : function.results) {
      if (result.name) {
        auto [entry, isNew] =
            seen.try_emplace(result.name->name, result.name->span);
        if (!isNew)
          diagnostics
              .report(Diag::redefinition, result.name->span,
                      {result.name->name})
              .notes.push_back({entry->second, "the first one is here"});
      }
      lowerResult(result);
    }
    requireUses(function, diagnostics);
    checkOperandNames();
    if (failed || diagnostics.errors() != before)
      return std::nullopt;
    return std::move(header);
  }

private:
  //===--- Operands -------------------------------------------------------===//

  Attribute elementType(const TypeSyntax &type) {
    if (!type.element)
      return builder.getUnitAttr();
    StringRef name = type.element->name;
    if (llvm::is_contained(header.typeVariables, name))
      return builder.getStringAttr(name);
    if (std::optional<runtime::DType> dtype = typeName(name, true))
      return TypeAttr::get(toType(builder.getContext(), *dtype));
    if (!typeSet(name).empty())
      diagnostics
          .report(Diag::type_set_as_type, type.element->span, {name.str()})
          .help = "write `T` here and `where T in " + name.str() +
                  "` at the end of the header";
    else
      reportUnknownType(*type.element, header.typeVariables, diagnostics);
    return builder.getUnitAttr();
  }

  void addDim(StringRef name, Span span) {
    if (dimPlaces.try_emplace(name, span).second)
      header.dims.push_back(name);
  }

  /// Such a name would mean the operand in the body and the dimension in
  /// shapes.
  void checkOperandNames() {
    auto check = [&](const Identifier &name, bool isSize) {
      auto dim = dimPlaces.find(name.name);
      if (dim == dimPlaces.end())
        return;
      Diagnostic &diagnostic =
          diagnostics.report(Diag::redefinition, name.span, {name.name});
      diagnostic.notes.push_back({dim->second, "it is a core dimension here"});
      diagnostic.help = "give one of them another name";
      if (isSize)
        diagnostic.help += ", or write `" + name.name +
                           ": dim` for a size "
                           "that the call says";
    };
    for (const Parameter &parameter : function.parameters)
      if (!isDim(parameter))
        check(parameter.name, !parameter.type || !parameter.type->isArray);
    for (const Result &result : function.results)
      if (result.name)
        check(*result.name, false);
  }

  /// `dim` parameters hide a file's constants, as they do in bodies.
  bool isConstant(StringRef name) {
    return (scope.constant(name) || scope.isFailed(name)) &&
           llvm::none_of(function.parameters, [&](const Parameter &parameter) {
             return parameter.name.name == name;
           });
  }

  /// The value of a constant of the file, as a size; null after an error.
  DimExprAttr lowerConstantDim(const Name &name, Span span) {
    const NamedConstant *constant = scope.constant(name.name);
    if (!constant) {
      failed = true; // reported at its definition
      return {};
    }
    const Integer *integer =
        constant->isTuple ? nullptr : constant->value.asInt();
    std::optional<int64_t> size = integer ? integer->asInt64() : std::nullopt;
    if (!size || *size < 0 || *size >= largestSize) {
      diagnostics.report(
          Diag::invalid_dimension, span,
          {"`" + name.name + "`, a constant that is not a size,"});
      return {};
    }
    return DimExprAttr::constant(builder.getContext(), *size);
  }

  /// A dimension's expression; null after an error.
  DimExprAttr lowerDim(const Expr &expr) {
    MLIRContext *context = builder.getContext();
    if (const auto *name = expr.as<Name>()) {
      if (isConstant(name->name))
        return lowerConstantDim(*name, expr.span);
      addDim(name->name, expr.span);
      return DimExprAttr::named(context, name->name);
    }
    if (const auto *literal = expr.as<IntegerLiteral>()) {
      if (literal->words.size() == 1 && literal->words[0] < largestSize)
        return DimExprAttr::constant(context, int64_t(literal->words[0]));
      diagnostics.report(Diag::invalid_dimension, expr.span,
                         {"such a large number"});
      return {};
    }
    if (const auto *binary = expr.as<Binary>())
      if (std::optional<DimKind> kind = symbolizeDimKind(spelling(binary->op)))
        return combineDims(*kind, lowerDim(*binary->left), *binary->right);
    if (const auto *call = expr.as<Call>()) {
      const auto *name = call->function->as<Name>();
      if (name && (name->name == "min" || name->name == "max") &&
          call->arguments.size() >= 2) {
        DimExprAttr result = lowerDim(*call->arguments[0]);
        for (const ExprPtr &argument : llvm::drop_begin(call->arguments))
          result =
              combineDims(*symbolizeDimKind(name->name), result, *argument);
        return result;
      }
    }
    if (!expr.as<ErrorExpr>())
      diagnostics.report(Diag::invalid_dimension, expr.span,
                         {"this expression"});
    return {};
  }

  DimExprAttr combineDims(DimKind kind, DimExprAttr left, const Expr &operand) {
    DimExprAttr right = left ? lowerDim(operand) : DimExprAttr();
    return right ? DimExprAttr::binary(kind, left, right) : DimExprAttr();
  }

  /// Records an optional dimension, which must be optional wherever it is used.
  void noteOptional(const DimSyntax &dim) {
    const auto *named = dim.expr->as<Name>();
    if (dim.optional && named && !isConstant(named->name)) {
      StringRef name = named->name;
      if (llvm::is_contained(header.dims, name) &&
          !llvm::is_contained(header.optionalDims, name))
        diagnostics.report(Diag::optional_dimension, dim.span, {name.str()});
      else if (!llvm::is_contained(header.optionalDims, name))
        header.optionalDims.push_back(name);
      return;
    }
    forEachName(*dim.expr, [&](StringRef name, Span span) {
      if (llvm::is_contained(header.optionalDims, name))
        diagnostics.report(Diag::optional_dimension, span, {name.str()});
    });
  }

  SmallVector<DimExprAttr> lowerCore(const TypeSyntax &type, bool isResult) {
    SmallVector<DimExprAttr> core;
    for (const DimSyntax &dim : type.dims) {
      if (!dim.expr)
        continue;
      noteOptional(dim);
      if (!isResult && !dim.expr->as<Name>() && !dim.expr->as<IntegerLiteral>())
        diagnostics.report(Diag::computed_dimension, dim.span);
      else if (DimExprAttr expr = lowerDim(*dim.expr))
        core.push_back(expr);
    }
    return core;
  }

  void requireGufunc(const TypeSyntax &type, const std::string &what) {
    if (type.isArray && function.kind == syntax::ItemKind::Ufunc)
      diagnostics.report(Diag::array_in_ufunc, type.span, {what}).help =
          "write `gufunc` for a function of arrays";
  }

  static bool isDim(const Parameter &parameter) {
    return parameter.type && !parameter.type->isArray &&
           parameter.type->element && parameter.type->element->name == "dim";
  }

  void lowerParameter(const Parameter &parameter) {
    Attribute type = builder.getUnitAttr();
    SmallVector<DimExprAttr> core;
    const bool isDim = HeaderLowering::isDim(parameter);
    if (isDim && function.kind == syntax::ItemKind::Ufunc)
      diagnostics.report(Diag::dim_parameter, parameter.type->span).help =
          "a `dim` decides shapes, and a `ufunc` works on scalars: "
          "take an integer, `" +
          parameter.name.name + ": i64`";
    if (parameter.type) {
      requireGufunc(*parameter.type, "`" + parameter.name.name + "`");
      if (isDim && llvm::is_contained(header.optionalDims, parameter.name.name))
        diagnostics.report(Diag::optional_dimension, parameter.name.span,
                           {parameter.name.name});
      if (isDim)
        addDim(parameter.name.name, parameter.name.span);
      else
        type = elementType(*parameter.type);
      core = lowerCore(*parameter.type, false);
    }
    if (parameter.isInout && core.empty())
      diagnostics.report(Diag::inout_misplaced, parameter.span);
    header.parameters.push_back(OperandAttr::get(
        builder.getContext(), builder.getStringAttr(parameter.name.name), type,
        core, parameter.isInout && !core.empty(), isDim));
  }

  void lowerResult(const Result &result) {
    requireGufunc(result.type, "a result");
    std::string name;
    if (result.name)
      name = result.name->name;
    else if (result.type.isArray) // it can only be written through a name
      name = function.results.size() == 1
                 ? "out"
                 : "out" + std::to_string(header.results.size() + 1);
    Attribute type = elementType(result.type);
    SmallVector<DimExprAttr> core = lowerCore(result.type, true);
    header.results.push_back(OperandAttr::get(builder.getContext(),
                                              builder.getStringAttr(name), type,
                                              core, false, false));
  }

  const Function &function;
  Builder builder;
  ModuleScope &scope;
  DiagnosticEngine &diagnostics;
  Header header;
  bool failed = false; ///< by an error that is reported elsewhere
  std::map<StringRef, Span> dimPlaces; ///< where each dimension is first used
};
} // namespace

std::optional<Header> lowerHeader(const Function &function,
                                  MLIRContext *context, ModuleScope &scope) {
  return HeaderLowering(function, context, scope).lower();
}

} // namespace kern::compiler

//===- WhereClauses.cpp - type variables and their types ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Header.h"

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "runtime/error/NearestName.h"

#include <set>

using namespace mlir;
using namespace kern::compiler::syntax;

namespace kern::compiler {

using mlir::Attribute; // not syntax::Attribute
using runtime::DType;

/// The most loops of one function. Each is typed when its file is read.
static constexpr size_t maxLoops = 1000;

void reportUnknownType(const Identifier &name, ArrayRef<StringRef> variables,
                       DiagnosticEngine &diagnostics) {
  std::vector<std::string_view> known;
  for (StringRef variable : variables)
    known.push_back(variable);
  for (unsigned i = 0; i < runtime::dtypeCount; ++i)
    known.push_back(runtime::name(DType(i)));
  for (std::string_view set : {"integers", "signed", "unsigned", "floats",
                               "complexes", "reals", "numbers"})
    known.push_back(set);
  Diagnostic &diagnostic =
      diagnostics.report(Diag::unknown_type, name.span, {name.name});
  for (std::string_view full :
       {"float16", "float32", "float64", "int8", "int16", "int32", "int64",
        "uint8", "complex64", "complex128"})
    known.push_back(full);
  std::string_view near = kernNameOf(name.name);
  std::string_view instead = insteadOf(name.name);
  if (near.empty() && instead.empty())
    near = runtime::nearestName(name.name, known);
  if (!instead.empty())
    diagnostic.help = instead;
  else if (!near.empty())
    diagnostic.give(Help::didYouMean(near));
  else if (name.name.size() <= 2)
    diagnostic.help = "bind a type variable in the header: `where " +
                      name.name + " in (f32, f64)`";
}

static void addRow(const WhereClause &clause,
                   const std::vector<Identifier> &names,
                   ArrayRef<StringRef> variables,
                   std::vector<SmallVector<DType>> &choices,
                   DiagnosticEngine &diagnostics) {
  if (names.size() == 1 && clause.variables.size() == 1) {
    SmallVector<DType> set = typeSet(names[0].name);
    if (!set.empty()) {
      for (DType type : set)
        choices.push_back({type});
      return;
    }
  }
  if (names.size() != clause.variables.size()) {
    diagnostics.report(
        Diag::where_row, clause.span,
        {std::to_string(names.size()) + " types",
         std::to_string(clause.variables.size()) + " type variables"});
    return;
  }
  SmallVector<DType> row;
  for (const Identifier &name : names) {
    std::optional<DType> type = typeName(name.name, true);
    if (!type) {
      reportUnknownType(name, variables, diagnostics);
      return;
    }
    row.push_back(*type);
  }
  choices.push_back(row);
}

void lowerWhere(const Function &function, Builder &builder,
                DiagnosticEngine &diagnostics, Header &header) {
  for (const WhereClause &clause : function.where)
    for (const Identifier &variable : clause.variables) {
      if (typeName(variable.name, true))
        diagnostics
            .report(Diag::where_type_name, variable.span, {variable.name})
            .help =
            "a parameter of one type needs no `where`: `x: " + variable.name +
            "`; of several, `x: T` and `where T in "
            "(f32, f64)`";
      else if (llvm::is_contained(header.typeVariables, variable.name))
        diagnostics.report(Diag::where_variable_twice, variable.span,
                           {variable.name});
      header.typeVariables.push_back(variable.name);
    }
  using Row = SmallVector<DType>;
  std::vector<Row> rows{{}};
  for (const WhereClause &clause : function.where) {
    std::vector<Row> choices;
    for (const std::vector<Identifier> &names : clause.rows)
      addRow(clause, names, header.typeVariables, choices, diagnostics);
    std::vector<Row> product;
    std::set<Row> seen;
    for (const Row &row : rows)
      for (const Row &choice : choices) {
        Row longer = row;
        longer.append(choice);
        if (!seen.insert(longer).second)
          continue;
        if (seen.size() > maxLoops) {
          diagnostics.report(Diag::where_too_many, clause.span,
                             {std::to_string(maxLoops)});
          return;
        }
        product.push_back(std::move(longer));
      }
    rows = std::move(product);
  }
  for (const Row &row : rows) {
    SmallVector<Attribute> types;
    for (DType type : row)
      types.push_back(TypeAttr::get(ir::toType(builder.getContext(), type)));
    header.loops.push_back(builder.getArrayAttr(types));
  }
}

void requireUses(const Function &function, DiagnosticEngine &diagnostics) {
  auto isUsed = [&](const std::string &variable) {
    for (const Parameter &parameter : function.parameters)
      if (parameter.type && parameter.type->element &&
          parameter.type->element->name == variable)
        return true;
    return llvm::any_of(function.results, [&](const Result &result) {
      return result.type.element && result.type.element->name == variable;
    });
  };
  for (const WhereClause &clause : function.where)
    for (const Identifier &variable : clause.variables)
      if (!isUsed(variable.name) && !typeName(variable.name, true))
        diagnostics
            .report(Diag::where_variable_unused, variable.span, {variable.name})
            .help = "annotate what has this type: `x: " + variable.name + "`";
}

} // namespace kern::compiler

//===- ConstantItems.cpp - constants, tuples and tables of files ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/TypedConstants.h"
#include "compiler/modules/ModuleScope.h"
#include "compiler/modules/Names.h"
#include "runtime/error/Counted.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {

/// A longer chain of constants would exhaust the stack.
static constexpr size_t maxConstantDepth = 500;

size_t NamedConstant::parts() const {
  size_t count = 1;
  for (const NamedConstant &element : elements)
    count += element.parts();
  return count;
}

/// The expressions in a tuple or a list; null for any other.
static const std::vector<ExprPtr> *elementsOf(const Expr &expr) {
  const auto *tuple = expr.as<Tuple>();
  const auto *list = expr.as<List>();
  return tuple ? &tuple->elements : list ? &list->elements : nullptr;
}

/// The value of a `const`: of an expression, or of a tuple of them.
static std::optional<NamedConstant> evaluateItem(const Expr &expr,
                                                 ModuleScope &scope) {
  if (const auto *name = expr.as<Name>())
    if (const NamedConstant *other = scope.constant(name->name))
      return *other;
  if (expr.as<List>())
    return evaluateTable(expr, std::nullopt, scope);
  const auto *tuple = expr.as<Tuple>();
  if (!tuple)
    return evaluateConstant(expr, scope);
  NamedConstant result{{false}, std::nullopt, true, {}};
  for (const ExprPtr &element : tuple->elements) {
    std::optional<NamedConstant> value = evaluateItem(*element, scope);
    if (!value)
      return std::nullopt;
    result.elements.push_back(std::move(*value));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
/// Collects the elements of nested tuples and lists.
class TableReader {
public:
  TableReader(ModuleScope &scope, std::optional<runtime::DType> type)
      : scope(scope) {
    table.type = type;
  }

  std::optional<NamedConstant> read(const Expr &expr) {
    if (!elementsOf(expr))
      refuse(expr.span, "it is no tuple or list");
    else if (readRow(expr, 0))
      return std::move(table);
    return std::nullopt;
  }

private:
  bool readRow(const Expr &expr, size_t depth);
  bool take(NamedConstant value, const Expr &expr);
  bool refuse(Span span, const std::string &why, std::string help = "") {
    scope.diagnostics().report(Diag::table_shape, span, {why}).help =
        std::move(help);
    return false;
  }
  bool refuseRow(Span span) {
    return refuse(span, "its rows have different numbers of elements",
                  "give each row as many elements as the first one has");
  }

  ModuleScope &scope;
  NamedConstant table{{false}, std::nullopt, false, {}, {}};
};
} // namespace

/// Adds one element, in the table's type. A list has that of its typed ones.
bool TableReader::take(NamedConstant value, const Expr &expr) {
  constexpr size_t most = 1 << 16;
  if (value.isTuple || !value.shape.empty())
    return refuseRow(expr.span);
  if (table.elements.size() == most)
    return refuse(expr.span,
                  "it has more than " + std::to_string(most) + " elements");
  if (value.type && !table.type && table.elements.empty())
    table.type = value.type;
  if (table.type) {
    if (value.type ? *value.type != *table.type
                   : !checkConstantType(value.value, *table.type, expr.span,
                                        scope.diagnostics()))
      return !value.type ? false
                         : refuse(expr.span, "its elements have two types");
    std::optional<TypedConstant> typed = ofType(value.value, *table.type);
    value = {typed->value, typed->type};
  } else if (value.type) {
    return refuse(expr.span, "its elements have two types");
  }
  table.elements.push_back(std::move(value));
  return true;
}

bool TableReader::readRow(const Expr &expr, size_t depth) {
  constexpr size_t deepest = 6;
  const std::vector<ExprPtr> *row = elementsOf(expr);
  if (!row) {
    std::optional<NamedConstant> value = evaluateItem(expr, scope);
    if (!value)
      return false;
    if (depth == table.shape.size() && !value->isTuple)
      return take(std::move(*value), expr);
    return refuseRow(expr.span);
  }
  const bool isFirst = depth == table.shape.size() && table.elements.empty();
  if (isFirst && depth < deepest)
    table.shape.push_back(int64_t(row->size()));
  if (depth >= table.shape.size() || table.shape[depth] != int64_t(row->size()))
    return refuseRow(expr.span);
  for (const ExprPtr &element : *row)
    if (!readRow(*element, depth + 1))
      return false;
  return true;
}

std::optional<NamedConstant> evaluateTable(const Expr &expr,
                                           std::optional<runtime::DType> type,
                                           ModuleScope &scope) {
  return TableReader(scope, type).read(expr);
}

/// Whether a table has the dimensions that its type declares; reports one that
/// has others.
static bool checkShape(const NamedConstant &table, const TypeSyntax &type,
                       ModuleScope &scope) {
  std::string shape;
  for (int64_t extent : table.shape)
    shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
  bool isSame = type.dims.size() == table.shape.size();
  for (size_t i = 0; isSame && i < type.dims.size(); ++i) {
    std::optional<NamedConstant> extent =
        evaluateConstant(*type.dims[i].expr, scope);
    if (!extent)
      return false;
    const Integer *integer = extent->value.asInt();
    isSame = integer && integer->asInt64() == table.shape[i];
  }
  if (!isSame)
    scope.diagnostics()
        .report(Diag::table_shape, type.span,
                {"its value has the shape [" + shape + "]"})
        .help =
        "write as many values as the type says, or declare `[" + shape + "]`";
  return isSame;
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

/// Whether a tuple is small enough and has no declared type; reports one that
/// is not.
static bool checkTuple(const NamedConstant &value, const Const &item,
                       DiagnosticEngine &diagnostics) {
  constexpr size_t maxParts = 1000;
  if ((value.isTuple || !value.shape.empty()) && item.type)
    diagnostics.report(Diag::tuple_as_value, item.value->span).help =
        "a table has its size in its type: `f32[" +
        std::to_string(value.elements.size()) + "]`";
  else if (value.isTuple && value.parts() > maxParts)
    diagnostics
        .report(Diag::tuple_too_large, item.value->span,
                {std::to_string(maxParts)})
        .help = "in brackets, `[…]`, it is a table, which may be larger";
  else
    return true;
  return false;
}

std::optional<NamedConstant> ModuleScope::valueOf(const Const &item) {
  std::optional<runtime::DType> type;
  if (item.type && item.type->element) {
    type = typeName(item.type->element->name, false);
    if (!type) {
      diagnostics().report(Diag::unknown_type, item.type->element->span,
                           {item.type->element->name});
      return std::nullopt;
    }
  }
  if (item.type && item.type->isArray) {
    std::optional<NamedConstant> table =
        evaluateTable(*item.value, type, *this);
    return table && checkShape(*table, *item.type, *this) ? table
                                                          : std::nullopt;
  }
  std::optional<NamedConstant> value = evaluateItem(*item.value, *this);
  if (!value || !checkTuple(*value, item, diagnostics()))
    return std::nullopt;
  if (!type)
    return value;
  if (!checkConstantType(value->value, *type, item.value->span, diagnostics()))
    return std::nullopt;
  std::optional<TypedConstant> typed = ofType(value->value, *type);
  return NamedConstant{typed->value, typed->type};
}

void ModuleScope::evaluate(ConstantEntry &entry) {
  if (entry.state != ConstantEntry::Waiting)
    return;
  const Const &item = *entry.item;
  if (evaluating.size() >= maxConstantDepth) {
    diagnostics().report(Diag::too_deep, item.name.span,
                         {std::to_string(maxConstantDepth)});
    entry.state = ConstantEntry::Failed;
    return;
  }
  entry.state = ConstantEntry::Evaluating;
  evaluating.push_back(&entry);
  std::optional<NamedConstant> value = valueOf(item);
  evaluating.pop_back();
  if (!value || entry.state == ConstantEntry::Failed) {
    entry.state = ConstantEntry::Failed;
    return;
  }
  entry.constant = std::move(*value);
  entry.state = ConstantEntry::Done;
}

} // namespace kern::compiler

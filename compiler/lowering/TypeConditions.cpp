//===- TypeConditions.cpp - comparisons of type variables -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `T == f64`, `T in floats`, `T not in (f32, f64)`, `T == U`: all are made of
// the question whether a variable is one of some types, which is decided when
// the function is specialised.
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/FunctionLowering.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern {

const FunctionLowering::TypeVariable *
FunctionLowering::typeVariableOf(const syntax::Expr &expr) const {
  const auto *name = expr.as<syntax::Name>();
  if (!name || env.count(name->name))
    return nullptr;
  auto found = typeVariables.find(name->name);
  return found == typeVariables.end() ? nullptr : &*found;
}

SmallVector<DType> FunctionLowering::typesNamed(const syntax::Expr &expr,
                                                bool isSet) {
  SmallVector<DType> types;
  if (const auto *tuple = expr.as<syntax::Tuple>(); tuple && isSet) {
    for (const syntax::ExprPtr &element : tuple->elements) {
      SmallVector<DType> more = typesNamed(*element, true);
      if (more.empty())
        return {};
      llvm::append_range(types, more);
    }
    return types;
  }
  const auto *name = expr.as<syntax::Name>();
  if (!name || env.count(name->name))
    return {};
  if (std::optional<DType> type = typeName(name->name, true))
    return {*type};
  return isSet ? typeSet(name->name) : types;
}

Value FunctionLowering::typeIs(const TypeVariable &variable,
                               ArrayRef<DType> types, Span span) {
  SmallVector<Type> list;
  for (DType type : types)
    list.push_back(toType(builder.getContext(), type));
  ArrayAttr attribute = builder.getTypeArrayAttr(list);
  if (variable.second)
    return TypeOfIsOp::create(builder, loc(span), builder.getI1Type(),
                              variable.second, attribute);
  return TypeIsOp::create(builder, loc(span), builder.getI1Type(),
                          builder.getStringAttr(variable.first), attribute);
}

/// Asks of each type whether the left one is it, and then the right one: of
/// these branches inference keeps one.
Value FunctionLowering::sameType(const TypeVariable &left,
                                 const TypeVariable &right, Span span) {
  Environment outer = std::exchange(env, {});
  std::vector<Edge> edges;
  for (unsigned i = 0; i < dtypeCount; ++i) {
    Block *match = newBlock(), *next = newBlock();
    cf::CondBranchOp::create(builder, loc(span), typeIs(left, {DType(i)}, span),
                             match, next);
    builder.setInsertionPointToStart(match);
    env = {};
    env.emplace("value",
                Binding(opened(typeIs(right, {DType(i)}, span), span)));
    edges.push_back(edge());
    builder.setInsertionPointToStart(next);
  }
  env = {};
  env.emplace("value", Binding(Constant{false}));
  edges.push_back(edge());
  join(std::move(edges), span);
  Binding same = env.find("value")->second;
  env = std::move(outer);
  return truthOf(*same.as<Number>(), span);
}

std::optional<Value>
FunctionLowering::lowerTypeComparison(const syntax::Compare &compare,
                                      Span span) {
  using syntax::CompareOp;
  if (compare.rest.size() != 1)
    return std::nullopt;
  const syntax::Expr *other = compare.rest[0].second.get();
  const CompareOp op = compare.rest[0].first;
  const bool isSet = op == CompareOp::In || op == CompareOp::NotIn;
  const TypeVariable *variable = typeVariableOf(*compare.first);
  if (!variable && !isSet) {
    variable = typeVariableOf(*other);
    other = compare.first.get();
  }
  if (!variable)
    return std::nullopt;

  const TypeVariable *second = isSet ? nullptr : typeVariableOf(*other);
  SmallVector<DType> types = typesNamed(*other, isSet);
  const bool isEquality = op == CompareOp::Eq || op == CompareOp::Ne;
  if ((types.empty() && !second) || (!isSet && !isEquality)) {
    error(Diag::type_comparison, span).help =
        "as in `T == f64`, `T == U`, `T in floats` or `T in (f32, f64)`";
    return Value();
  }
  Value is = second ? sameType(*variable, *second, span)
                    : typeIs(*variable, types, span);
  if (op == CompareOp::Eq || op == CompareOp::In)
    return is;
  return truthOf(
      {applyValues(ScalarFunction::logical_not, {opened(is, span)}, span), {}},
      span);
}

} // namespace kern

//===- TypeNames.cpp - type names in bodies -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `T == f64`, `T in floats`, `T not in (f32, f64)`, `T == U`: each becomes
// tests whether a type variable is one of some types. Specialisation decides
// them.
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

std::optional<TypeName> typeNamed(FunctionLowering &fn, StringRef name,
                                  bool pythonNames) {
  if (auto variable = fn.frame->typeVariables.find(name.str());
      variable != fn.frame->typeVariables.end())
    return variable->second ? TypeName{nullptr, variable->second}
                            : TypeName{fn.builder.getStringAttr(name), Value()};
  if (std::optional<DType> type = typeName(name, pythonNames))
    return TypeName{TypeAttr::get(toType(fn.builder.getContext(), *type)),
                    Value()};
  return std::nullopt;
}

using TypeVariable = std::pair<const std::string, Value>;

/// The type variable that an expression names, or null.

static const TypeVariable *typeVariableOf(FunctionLowering &fn,
                                          const syntax::Expr &expr) {
  const auto *name = expr.as<syntax::Name>();
  if (!name || fn.env().count(name->name))
    return nullptr;
  auto found = fn.frame->typeVariables.find(name->name);
  return found == fn.frame->typeVariables.end() ? nullptr : &*found;
}

static SmallVector<DType> typesNamed(FunctionLowering &fn,
                                     const syntax::Expr &expr, bool isSet) {
  SmallVector<DType> types;
  if (const auto *tuple = expr.as<syntax::Tuple>(); tuple && isSet) {
    for (const syntax::ExprPtr &element : tuple->elements) {
      SmallVector<DType> more = typesNamed(fn, *element, true);
      if (more.empty())
        return {};
      llvm::append_range(types, more);
    }
    return types;
  }
  const auto *attribute = expr.as<syntax::Attribute>();
  const auto *name = (attribute ? *attribute->value : expr).as<syntax::Name>();
  if (!name || fn.env().count(name->name) ||
      (attribute && !fn.scope().isLibrary(name->name)))
    return {};
  const std::string &written = attribute ? attribute->name.name : name->name;
  if (std::optional<DType> type = typeName(written, true))
    return {*type};
  return isSet ? typeSet(written) : types;
}

static Value typeIs(FunctionLowering &fn, const TypeVariable &variable,
                    ArrayRef<DType> types, Span span) {
  SmallVector<Type> list;
  for (DType type : types)
    list.push_back(toType(fn.builder.getContext(), type));
  ArrayAttr attribute = fn.builder.getTypeArrayAttr(list);
  if (variable.second)
    return TypeOfIsOp::create(fn.builder, fn.loc(span), fn.builder.getI1Type(),
                              variable.second, attribute);
  return TypeIsOp::create(fn.builder, fn.loc(span), fn.builder.getI1Type(),
                          fn.builder.getStringAttr(variable.first), attribute);
}

/// Tests each type: whether it is the left one, and if so the right one.
/// Inference keeps one of these branches.
static Value sameType(FunctionLowering &fn, const TypeVariable &left,
                      const TypeVariable &right, Span span) {
  ValueJoin paths(fn);
  for (unsigned i = 0; i < runtime::dtypeCount; ++i) {
    Block *match = fn.newBlock(), *next = fn.newBlock();
    cf::CondBranchOp::create(fn.builder, fn.loc(span),
                             typeIs(fn, left, {DType(i)}, span), match, next);
    fn.builder.setInsertionPointToStart(match);
    paths.arrive(fn.opened(typeIs(fn, right, {DType(i)}, span), span));
    fn.builder.setInsertionPointToStart(next);
  }
  paths.arrive(Constant{false});
  return fn.truthOf(*paths.join(span).as<Number>(), span);
}

std::optional<Value> lowerTypeComparison(FunctionLowering &fn,
                                         const syntax::Compare &compare,
                                         Span span) {
  using syntax::CompareOp;
  if (compare.rest.size() != 1)
    return std::nullopt;
  const syntax::Expr *other = compare.rest[0].second.get();
  const CompareOp op = compare.rest[0].first;
  const bool isSet = op == CompareOp::In || op == CompareOp::NotIn;
  const TypeVariable *variable = typeVariableOf(fn, *compare.first);
  if (!variable && !isSet) {
    variable = typeVariableOf(fn, *other);
    other = compare.first.get();
  }
  if (!variable) {
    // `x.dtype == f64` of `x: f32[n]`.
    const SmallVector<DType> one = typesNamed(fn, *compare.first, false);
    const SmallVector<DType> among =
        one.empty() ? one : typesNamed(fn, *compare.rest[0].second, isSet);
    if (among.empty() || (!isSet && op != CompareOp::Eq && op != CompareOp::Ne))
      return std::nullopt;
    const bool isAmong = llvm::is_contained(among, one.front());
    return fn.truthOf({nullptr, Constant{isAmong == (op == CompareOp::Eq ||
                                                     op == CompareOp::In)}},
                      span);
  }

  const TypeVariable *second = isSet ? nullptr : typeVariableOf(fn, *other);
  SmallVector<DType> types = typesNamed(fn, *other, isSet);
  const bool isEquality = op == CompareOp::Eq || op == CompareOp::Ne;
  if ((types.empty() && !second) || (!isSet && !isEquality)) {
    fn.error(Diag::type_comparison, span).help =
        "as in `T == f64`, `T == U`, `T in floats` or `T in (f32, f64)`";
    return Value();
  }
  Value is = second ? sameType(fn, *variable, *second, span)
                    : typeIs(fn, *variable, types, span);
  if (op == CompareOp::Eq || op == CompareOp::In)
    return is;
  return fn.truthOf(
      {fn.applyValues(ScalarFunction::logical_not, {fn.opened(is, span)}, span),
       {}},
      span);
}

} // namespace kern::compiler

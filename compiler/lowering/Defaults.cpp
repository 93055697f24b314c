//===- Defaults.cpp - defaults of a header's parameters -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Header.h"

#include "compiler/lowering/Expressions.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/Kern.h"

using namespace mlir;

namespace kern::compiler {

using ir::OperandAttr;
using runtime::ArgType;
using runtime::DType;
using runtime::Weakness;

static ArgType typeOf(const NamedConstant &value) {
  if (value.type)
    return ArgType::typed(*value.type);
  if (value.value.isBool())
    return ArgType::typed(DType::Bool);
  return ArgType::weak(value.value.isInt()     ? Weakness::Int
                       : value.value.isFloat() ? Weakness::Float
                                               : Weakness::Complex);
}

/// Whether the parameter may be given this number: by one of its types, and if
/// it is an integer, by each of those that take integers.
static bool fits(const NamedConstant &value, OperandAttr parameter,
                 const Header &header, Span span,
                 DiagnosticEngine &diagnostics) {
  auto refuse = [&](const std::string &why) {
    diagnostics.report(Diag::default_value, span,
                       {parameter.getName().str(), why});
    return false;
  };
  if (value.isTuple)
    return refuse("it is one number, not a tuple");
  const Integer *integer = value.value.asInt();
  const ArgType type = typeOf(value);
  if (parameter.getIsDim()) {
    const std::optional<int64_t> size =
        integer ? integer->asInt64() : std::nullopt;
    return (size && *size >= 0) || refuse("a `dim` is an integer, 0 or more");
  }
  if (type.weakness == Weakness::Int && !integer->asInt64())
    return refuse("weak integers have 64 bits and a sign; write `u64(…)`");
  const runtime::DTypeSet types = typesOf(parameter.getType(), header);
  std::optional<DType> taken, other;
  for (unsigned i = 0; i < runtime::dtypeCount; ++i) {
    const auto each = DType(i);
    if (!types.contains(each))
      continue;
    (canPass(type, each) ? taken : other) = each;
    if (type.isWeak() && canPass(type, each) && isInteger(each) &&
        !checkConstantType(value.value, each, span, diagnostics))
      return false;
  }
  return taken || !other ||
         refuse("a number of type " + std::string(name(type)) +
                " does not cast safely to " + std::string(name(*other)));
}

std::optional<DType> declaredType(const NamedConstant &constant,
                                  const syntax::Parameter &parameter,
                                  const syntax::Function &function) {
  const ArgType type = typeOf(constant);
  if (!type.isWeak() || constant.isTuple || !parameter.type ||
      !parameter.type->element)
    return std::nullopt;
  const std::string &name = parameter.type->element->name;
  const bool isVariable =
      llvm::any_of(function.where, [&](const syntax::WhereClause &clause) {
        return llvm::any_of(clause.variables, [&](const auto &variable) {
          return variable.name == name;
        });
      });
  const std::optional<DType> declared =
      isVariable ? std::nullopt : typeName(name, /*pythonNames=*/true);
  return declared == type.carrier() ? std::nullopt : declared;
}

std::optional<Attribute> lowerDefaults(const syntax::Function &function,
                                       const Header &header, Builder &builder,
                                       ModuleScope &scope) {
  SmallVector<Attribute> all;
  bool isRight = true, some = false;
  for (auto [parameter, operand] :
       llvm::zip(function.parameters, header.parameters)) {
    all.push_back(builder.getUnitAttr());
    if (!parameter.defaultValue)
      continue;
    some = true;
    const Span span = parameter.defaultValue->span;
    std::optional<NamedConstant> value =
        evaluateDefault(function, parameter, scope);
    if (!value || !fits(*value, cast<OperandAttr>(operand), header, span,
                        scope.diagnostics())) {
      isRight = false;
      continue;
    }
    Attribute type = builder.getUnitAttr();
    if (!value->type)
      value->type = declaredType(*value, parameter, function);
    if (value->type)
      type = TypeAttr::get(ir::toType(builder.getContext(), *value->type));
    all.back() = builder.getArrayAttr(
        {builder.getStringAttr(scope.diagnostics().sourceManager().text(span)),
         type, attributeOf(builder, value->value)});
  }
  if (!isRight)
    return std::nullopt;
  return some ? builder.getArrayAttr(all) : Attribute();
}

} // namespace kern::compiler

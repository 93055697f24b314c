//===- Request.cpp - what to specialise for -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/LoopChoice.h"
#include "compiler/specialize/Specialize.h"

#include "dialects/Kern/ElementTypes.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::ArgType;
using runtime::DType;
using runtime::Weakness;

bool isGeneric(FuncOp func) {
  return llvm::any_of(func.parameterInfos(), [](OperandAttr parameter) {
    return !parameter.getIsDim() && isa<UnitAttr>(parameter.getType());
  });
}

llvm::StringMap<DType> loopRow(ArrayAttr typeVariables, ArrayAttr loops,
                               size_t index) {
  llvm::StringMap<DType> variables;
  auto types = cast<ArrayAttr>(loops[index]);
  for (auto [name, type] : llvm::zip(typeVariables.getAsRange<StringAttr>(),
                                     types.getAsValueRange<TypeAttr>()))
    variables[name.getValue()] = *toDType(type);
  return variables;
}

static llvm::StringMap<DType> row(FuncOp func, size_t index) {
  return loopRow(func.getTypeVars(), func.getLoops(), index);
}

std::optional<DType> declaredType(Attribute type,
                                  const llvm::StringMap<DType> &row) {
  if (auto fixed = dyn_cast<TypeAttr>(type))
    return toDType(fixed.getValue());
  if (auto variable = dyn_cast<StringAttr>(type))
    return row.lookup(variable.getValue());
  return std::nullopt;
}

std::optional<Specialization> declaredLoop(FuncOp func, size_t index) {
  Specialization request{row(func, index), {}};
  for (OperandAttr parameter : func.parameterInfos()) {
    if (parameter.getIsDim())
      continue;
    std::optional<DType> type =
        declaredType(parameter.getType(), request.variables);
    if (!type)
      return std::nullopt;
    request.parameters.push_back({ValueType::Typed, *type});
  }
  return request;
}

static ValueType toValueType(ArgType argument) {
  switch (argument.weakness) {
  case Weakness::None:
    return {ValueType::Typed, argument.dtype};
  case Weakness::Int:
    return {ValueType::WeakInt, DType::I64};
  case Weakness::Float:
    return {ValueType::WeakFloat, DType::F64};
  case Weakness::Complex:
    return {ValueType::WeakComplex, DType::C128};
  }
  llvm_unreachable("all forms are handled");
}

std::optional<Specialization> specializationFor(FuncOp func,
                                                ArrayRef<ArgType> arguments) {
  SmallVector<OperandAttr> parameters;
  for (OperandAttr parameter : func.parameterInfos())
    if (!parameter.getIsDim())
      parameters.push_back(parameter);
  if (arguments.size() != parameters.size())
    return std::nullopt;
  // A generic parameter does not affect the choice, as in calls from a body.
  SmallVector<CallArgument> given;
  SmallVector<Attribute> annotations;
  for (auto [parameter, argument] : llvm::zip(parameters, arguments))
    if (!isa<UnitAttr>(parameter.getType())) {
      given.push_back({toValueType(argument)});
      annotations.push_back(parameter.getType());
    }
  SmallVector<ParameterTypes> loops;
  for (size_t index = 0; index < func.getLoops().size(); ++index) {
    ParameterTypes &types = loops.emplace_back();
    for (Attribute annotation : annotations)
      types.push_back(declaredType(annotation, row(func, index)));
  }
  std::optional<size_t> chosen = chooseLoop(loops, given);
  if (!chosen)
    return std::nullopt;
  Specialization request{row(func, *chosen), {}};
  for (auto [parameter, argument] : llvm::zip(parameters, arguments)) {
    std::optional<DType> type =
        declaredType(parameter.getType(), request.variables);
    request.parameters.push_back(type ? ValueType{ValueType::Typed, *type}
                                      : toValueType(argument));
  }
  return request;
}

} // namespace kern::compiler

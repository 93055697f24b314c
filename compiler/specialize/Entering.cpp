//===- Entering.cpp - the loop that an inlined call takes -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Application.h"
#include "compiler/specialize/LoopChoice.h"
#include "compiler/specialize/Specialize.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

static SmallVector<ParameterTypes> loopsOf(EnterOp enter) {
  SmallVector<ParameterTypes> loops;
  for (size_t i = 0; i < enter.getLoops().size(); ++i) {
    llvm::StringMap<DType> row =
        loopRow(enter.getTypeVars(), enter.getLoops(), i);
    ParameterTypes types;
    for (Attribute annotation : enter.getParameters())
      types.push_back(declaredType(annotation, row));
    loops.push_back(std::move(types));
  }
  return loops;
}

static SmallVector<CallArgument> argumentsOf(EnterOp enter,
                                             ArrayRef<ValueType> operands) {
  SmallVector<CallArgument> arguments;
  for (auto [type, isInout] : llvm::zip(operands, enter.getInout()))
    arguments.push_back({type, isInout});
  return arguments;
}

std::optional<LoopEntry> enterLoop(EnterOp enter,
                                   ArrayRef<ValueType> operands) {
  SmallVector<ParameterTypes> loops = loopsOf(enter);
  std::optional<size_t> chosen =
      chooseLoop(loops, argumentsOf(enter, operands));
  if (!chosen)
    return std::nullopt;
  LoopEntry entered;
  for (auto [parameter, operand] : llvm::zip(loops[*chosen], operands))
    entered.results.push_back(
        parameter ? ValueType{ValueType::Typed, *parameter} : operand);
  llvm::StringMap<DType> row =
      loopRow(enter.getTypeVars(), enter.getLoops(), *chosen);
  for (StringAttr variable : enter.getTypeVars().getAsRange<StringAttr>())
    entered.results.push_back(
        {ValueType::Typed, row.lookup(variable.getValue())});
  return entered;
}

std::string describeRefusal(EnterOp enter, ArrayRef<ValueType> operands) {
  constexpr size_t shown = 12;
  SmallVector<ParameterTypes> loops = loopsOf(enter);
  std::string text = "its loops take ";
  for (auto [index, loop] : llvm::enumerate(loops)) {
    if (index == shown) {
      text += ", … (" + std::to_string(loops.size()) + " in all)";
      break;
    }
    text += index ? ", (" : "(";
    for (auto [at, type] : llvm::enumerate(loop))
      text += (at ? ", " : "") + (type ? std::string(name(*type)) : "any");
    text += ")";
  }
  size_t culprit = argumentInTheWay(loops, argumentsOf(enter, operands));
  std::string wanted(name(operands[culprit].carrier()));
  std::string place = "argument " + std::to_string(culprit + 1);
  text += "; convert " + place + ", which is " + describe(operands[culprit]);
  TypeSet typed;
  for (ValueType operand : operands)
    if (!operand.isWeak())
      typed.add(operand);
  if (operands[culprit].isWeak() && !typed.empty() &&
      !countedTypes(operands)[culprit].isWeak())
    text += " and counts as " + wanted + " beside " + describe(typed.type());
  if (auto variable = dyn_cast<StringAttr>(enter.getParameters()[culprit]))
    text += ", or add " + wanted + " to `where " + variable.str() + " in …`";
  return text;
}

} // namespace kern::compiler

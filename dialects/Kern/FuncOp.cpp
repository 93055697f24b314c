//===- FuncOp.cpp - functions and their operands --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/Kern.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kern::ir {

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LogicalResult
OperandAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    StringAttr name, Attribute type, ArrayRef<DimExprAttr> core,
                    bool isInout, bool isDim) {
  auto fixed = dyn_cast<TypeAttr>(type);
  if (!isa<TypeAttr, StringAttr, UnitAttr>(type) ||
      (fixed && !toDType(fixed.getValue())))
    return emitError() << "operand " << name << " has elements of " << type
                       << ", which is neither an element type nor a variable";
  if (isDim && (!isa<UnitAttr>(type) || !core.empty() || isInout))
    return emitError() << "operand " << name
                       << " is a dim: it has no type and no dimensions";
  if (isInout && core.empty())
    return emitError() << "operand " << name
                       << " is inout, which takes an array";
  return success();
}

Type OperandAttr::elementType() const {
  auto type = dyn_cast<TypeAttr>(getType());
  return type ? type.getValue() : Type();
}

OperandAttr OperandAttr::withElementType(Type type) const {
  return get(getContext(), getName(), TypeAttr::get(type), getCore(),
             getIsInout(), getIsDim());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

SmallVector<OperandAttr> FuncOp::entryOperands() {
  SmallVector<OperandAttr> operands;
  for (OperandAttr parameter : parameterInfos())
    if (!parameter.getIsDim())
      operands.push_back(parameter);
  for (OperandAttr result : resultInfos())
    if (result.isArray())
      operands.push_back(result);
  return operands;
}

ArrayAttr FuncOp::dimNames() {
  llvm::SetVector<Attribute> names;
  for (ArrayAttr list : {getParameters(), getResults()})
    for (auto operand : list.getAsRange<OperandAttr>()) {
      if (operand.getIsDim())
        names.insert(operand.getName());
      for (DimExprAttr dim : operand.getCore())
        dim.forEachNode([&](DimExprAttr node) {
          if (node.isName())
            names.insert(node.getName());
        });
    }
  return ArrayAttr::get(getContext(), names.getArrayRef());
}

void FuncOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  for (auto [argument, operand] :
       llvm::zip(region.getArguments(), entryOperands()))
    setName(argument, operand.getName());
}

/// "`x`", or "result 0" for a result without a name.
static std::string label(OperandAttr operand, size_t number) {
  return operand.getName().empty() ? "result " + std::to_string(number)
                                   : "`" + operand.getName().str() + "`";
}

/// Checks the types that the function's form, typed or polymorphic, requires.
static LogicalResult verifyTypes(FuncOp func) {
  for (ArrayAttr list : {func.getParameters(), func.getResults()})
    for (auto [number, operand] :
         llvm::enumerate(list.getAsRange<OperandAttr>())) {
      if (func.isTyped() && !operand.getIsDim() && !operand.elementType())
        return func.emitOpError("is typed, but ")
               << label(operand, number) << " has no element type";
      if (auto variable = dyn_cast<StringAttr>(operand.getType());
          variable && !llvm::is_contained(func.getTypeVars(), variable))
        return func.emitOpError("has no type variable ")
               << variable << " for " << label(operand, number);
    }
  for (auto [argument, operand] :
       llvm::zip(func.getBody().getArguments(), func.entryOperands())) {
    Type expected = func.isTyped() ? operand.elementType()
                                   : OpenType::get(func.getContext());
    if (operand.isArray())
      expected = ArrayType::get(func.getContext(), expected,
                                unsigned(operand.getCore().size()));
    if (argument.getType() != expected)
      return func.emitOpError("needs an entry argument of type ")
             << expected << " for " << label(operand, 0) << ", has "
             << argument.getType();
  }
  return success();
}

/// Checks what only a polymorphic function may have.
static LogicalResult verifyVariables(FuncOp func) {
  ArrayAttr variables = func.getTypeVars(), loops = func.getLoops();
  if (func.isTyped()) {
    if (!variables.empty() || !loops.empty() || func.getOptionalDims())
      return func.emitOpError("is typed, and has no type variables, loops or "
                              "optional dimensions");
    return success();
  }
  if (func.getOrigin())
    return func.emitOpError("is a form of another function, but not typed");
  if (variables.empty() && loops.size() != 1)
    return func.emitOpError("has no type variables, and so one loop, not ")
           << loops.size();
  llvm::SetVector<Attribute> seen;
  for (Attribute variable : variables)
    if (!seen.insert(variable))
      return func.emitOpError("has the type variable ") << variable << " twice";
  for (auto row : loops.getAsRange<ArrayAttr>()) {
    if (row.size() != variables.size())
      return func.emitOpError("has a loop of ")
             << row.size() << " types for " << variables.size()
             << " type variables";
    for (Type type : row.getAsValueRange<TypeAttr>())
      if (!toDType(type))
        return func.emitOpError("has a loop of ")
               << type << ", which is not an element type";
  }
  return success();
}

/// Checks that an optional dimension is a whole core dimension at each use.
static LogicalResult verifyOptionalDims(FuncOp func) {
  std::optional<ArrayAttr> optional = func.getOptionalDims();
  if (!optional)
    return success();
  llvm::SetVector<Attribute> found;
  StringAttr misplaced;
  auto visit = [&](StringAttr name, bool isAlone) {
    if (!llvm::is_contained(*optional, name))
      return;
    found.insert(name);
    if (!isAlone)
      misplaced = name;
  };
  for (ArrayAttr list : {func.getParameters(), func.getResults()})
    for (auto operand : list.getAsRange<OperandAttr>()) {
      if (operand.getIsDim())
        visit(operand.getName(), false);
      for (DimExprAttr dim : operand.getCore())
        dim.forEachNode([&](DimExprAttr node) {
          if (node.isName())
            visit(node.getName(), node == dim);
        });
    }
  if (misplaced)
    return func.emitOpError("has the optional dimension ")
           << misplaced << " as a dim or inside of an expression";
  if (found.getArrayRef() != optional->getValue() || found.empty())
    return func.emitOpError("has optional dimensions ")
           << *optional << " that are not core dimensions in their order";
  return success();
}

LogicalResult FuncOp::verify() {
  if (size_t expected = entryOperands().size();
      getBody().getNumArguments() != expected)
    return emitOpError("needs ")
           << expected << " entry arguments for its parameters and array "
           << "results, has " << getBody().getNumArguments();
  if (failed(verifyVariables(*this)) || failed(verifyTypes(*this)))
    return failure();
  return verifyOptionalDims(*this);
}

} // namespace kern::ir

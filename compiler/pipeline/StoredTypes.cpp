//===- StoredTypes.cpp - array types that differ from the loop's ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/pipeline/Pipeline.h"

#include "dialects/Kern/ElementTypes.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

void convertOperands(FuncOp func, llvm::ArrayRef<DType> stored) {
  Block &entry = func.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  auto cast = [&](Value value, Type type) -> Value {
    return CastOp::create(builder, value.getLoc(), type, value,
                          TypeAttr::get(type), CastMode::Explicit);
  };
  std::string symbol = func.getSymName().str() + "_of";
  for (DType type : stored)
    symbol += "_" + std::string(name(type));
  func.setSymName(symbol);

  for (auto [argument, dtype] : llvm::zip(entry.getArguments(), stored)) {
    Type type = toType(func.getContext(), dtype), own = argument.getType();
    if (type == own)
      continue;
    argument.setType(type);
    Value converted = cast(argument, own);
    argument.replaceAllUsesExcept(converted, converted.getDefiningOp());
  }
  auto converted = [&](ArrayAttr operands, llvm::ArrayRef<DType> types) {
    SmallVector<Attribute> list;
    for (auto [operand, dtype] :
         llvm::zip(operands.getAsRange<OperandAttr>(), types))
      list.push_back(operand.withElementType(toType(func.getContext(), dtype)));
    return builder.getArrayAttr(list);
  };
  func.setParametersAttr(converted(func.getParameters(), stored));
  func.setResultsAttr(
      converted(func.getResults(), stored.drop_front(entry.getNumArguments())));
  func.walk([&](ReturnOp op) {
    builder.setInsertionPoint(op);
    for (auto [operand, result] :
         llvm::zip(op->getOpOperands(), func.resultInfos()))
      if (Type type = result.elementType(); operand.get().getType() != type)
        operand.set(cast(operand.get(), type));
  });
}

} // namespace kern::compiler

//===- TypedFunctions.cpp - typed ufuncs of one application ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "test/unit/kerntoloop/TypedFunctions.h"

#include "dialects/Kern/ElementTypes.h"
#include "dialects/Loop/Loop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace kern::test {

using namespace ir;
using namespace runtime;

std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registry
      .insert<KernDialect, loop::LoopDialect, arith::ArithDialect,
              math::MathDialect, complex::ComplexDialect,
              cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect>();
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

static Attribute operandInfo(OpBuilder &builder, const std::string &name,
                             Type type) {
  return OperandAttr::get(builder.getContext(), builder.getStringAttr(name),
                          TypeAttr::get(type), ArrayRef<DimExprAttr>(),
                          /*isInout=*/false, /*isDim=*/false);
}

FuncOp addTypedFunction(ModuleOp module, std::string_view symbol,
                        std::string_view function,
                        std::span<const DType> inputs,
                        std::span<const DType> outputs) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  MLIRContext *context = builder.getContext();
  Location loc = builder.getUnknownLoc();
  SmallVector<Type> parameterTypes, resultTypes;
  SmallVector<Attribute> parameters, results;
  for (DType type : inputs) {
    parameterTypes.push_back(toType(context, type));
    parameters.push_back(operandInfo(builder,
                                     "p" + std::to_string(parameters.size()),
                                     parameterTypes.back()));
  }
  for (DType type : outputs) {
    resultTypes.push_back(toType(context, type));
    results.push_back(operandInfo(builder, "r" + std::to_string(results.size()),
                                  resultTypes.back()));
  }
  ArrayAttr none = builder.getArrayAttr({});
  auto func = FuncOp::create(
      builder, loc, builder.getStringAttr(symbol),
      FuncKindAttr::get(context, FuncKind::Ufunc),
      builder.getArrayAttr(parameters), builder.getArrayAttr(results),
      /*type_vars=*/none, /*loops=*/none,
      /*optional_dims=*/ArrayAttr(), /*doc=*/StringAttr(),
      /*origin=*/StringAttr(), builder.getUnitAttr());
  Block *entry =
      builder.createBlock(&func.getBody(), {}, parameterTypes,
                          SmallVector<Location>(parameterTypes.size(), loc));
  ValueRange values = entry->getArguments();
  SmallVector<Value> found;
  if (function == "cast")
    found = {CastOp::create(builder, loc, resultTypes[0], values[0],
                            TypeAttr::get(resultTypes[0]), CastMode::Explicit)};
  else if (function == "truth")
    found = {TruthOp::create(builder, loc, resultTypes[0], values[0])};
  else
    found = llvm::to_vector_of<Value>(
        ApplyOp::create(builder, loc, resultTypes,
                        findScalarFunction(function)->function, values)
            .getResults());
  ReturnOp::create(builder, loc, found);
  return func;
}

} // namespace kern::test

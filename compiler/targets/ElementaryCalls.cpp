//===- ElementaryCalls.cpp - symbols of elementary functions --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/LLVMModule.h"

#include "compiler/library/Library.h"
#include "compiler/targets/FloatDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using kern::compiler::library::ElementaryFunction;
using kern::runtime::DType;
using kern::runtime::Error;
using kern::runtime::Status;

namespace {

/// Gives elementary functions their symbols on a target.
class ElementaryCalls {
public:
  ElementaryCalls(ModuleOp module, kern::compiler::library::FunctionTable table)
      : module(module), table(table), builder(module.getContext()) {}

  Status run();

private:
  Status resolveDeclarations();
  void resolveOperations();
  /// The symbol that every target defines or that this one has; "" for none.
  StringRef symbolOf(const ElementaryFunction &function) {
    StringRef symbol = kern::compiler::divisionSymbol(function);
    return symbol.empty() ? table(function) : symbol;
  }
  LLVM::LLVMFuncOp declare(StringRef symbol, TypeRange inputs,
                           TypeRange results);
  void call(Operation *op, LLVM::LLVMFuncOp callee);

  ModuleOp module;
  kern::compiler::library::FunctionTable table;
  OpBuilder builder;
};

} // namespace

Status ElementaryCalls::run() {
  Status status = resolveDeclarations();
  if (status)
    resolveOperations();
  return status;
}

Status ElementaryCalls::resolveDeclarations() {
  llvm::StringMap<LLVM::LLVMFuncOp> callees;
  for (auto declaration :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    std::optional<ElementaryFunction> function =
        ElementaryFunction::ofSymbol(declaration.getSymName());
    if (!declaration.isDeclaration() || !function)
      continue;
    StringRef symbol = kern::compiler::library::symbol(*function);
    if (symbol.empty())
      symbol = symbolOf(*function);
    if (symbol.empty())
      return Error{KERN_ERROR_INTERNAL,
                   ("the target has no function " + function->name + " for " +
                    StringRef(name(function->type)))
                       .str()};
    FunctionType signature = declaration.getFunctionType();
    callees[declaration.getSymName()] =
        declare(symbol, signature.getInputs(), signature.getResults());
    declaration.erase();
  }
  if (callees.empty())
    return {};
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp op) { calls.push_back(op); });
  for (func::CallOp op : calls)
    if (auto found = callees.find(op.getCallee()); found != callees.end())
      call(op, found->second);
  return {};
}

void ElementaryCalls::resolveOperations() {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<arith::RemFOp>(op) || op->getName().getDialectNamespace() == "math")
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    StringRef name = op->getName().stripDialect();
    StringRef function = llvm::StringSwitch<StringRef>(name)
                             .Case("remf", "fmod")
                             .Case("powf", "pow")
                             .Default(name);
    Type type = op->getResult(0).getType();
    if (!type.isF32() && !type.isF64())
      continue;
    StringRef symbol =
        symbolOf({function, type.isF32() ? DType::F32 : DType::F64});
    // The others are LLVM intrinsics on every target.
    if (!symbol.empty())
      call(op, declare(symbol, op->getOperandTypes(), type));
  }
}

/// A function of the LLVM dialect. Several results become one structure.
LLVM::LLVMFuncOp ElementaryCalls::declare(StringRef symbol, TypeRange inputs,
                                          TypeRange results) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  MLIRContext *context = builder.getContext();
  Type result =
      results.size() == 1
          ? results.front()
          : LLVM::LLVMStructType::getLiteral(context, llvm::to_vector(results));
  return LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), symbol,
      LLVM::LLVMFunctionType::get(result, llvm::to_vector(inputs)));
}

/// Replaces an operation by a call with its operands.
void ElementaryCalls::call(Operation *op, LLVM::LLVMFuncOp callee) {
  builder.setInsertionPoint(op);
  Location location = op->getLoc();
  Value result =
      LLVM::CallOp::create(builder, location, callee, op->getOperands())
          .getResult();
  SmallVector<Value> results = {result};
  if (op->getNumResults() > 1) {
    results.clear();
    for (size_t i = 0; i < op->getNumResults(); ++i)
      results.push_back(LLVM::ExtractValueOp::create(
          builder, location, result, ArrayRef<int64_t>{int64_t(i)}));
  }
  op->replaceAllUsesWith(results);
  op->erase();
}

Status
kern::compiler::callElementaryFunctions(ModuleOp module,
                                        library::FunctionTable functions) {
  return ElementaryCalls(module, functions).run();
}

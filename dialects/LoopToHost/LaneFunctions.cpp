//===- LaneFunctions.cpp - elementary functions of all lanes --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneCode.h"
#include "dialects/LoopToHost/VectorLoops.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace kern::ir::loop;

/// "kern.lanes.8.kern.exp.f64", or "kern.lanes.8.arith.remf.f64".
static std::string nameFor(Operation &call, unsigned lanes) {
  std::string name = "kern.lanes." + std::to_string(lanes) + ".";
  llvm::raw_string_ostream stream(name);
  if (auto function = dyn_cast<func::CallOp>(call))
    stream << function.getCallee();
  else
    stream << call.getName() << "." << call.getResult(0).getType();
  return name;
}

/// Emits the loop over the lanes, whose arguments and results are arrays.
static void loopOverLanes(KernelBuilder &b, Operation &call,
                          ArrayRef<Value> arguments, ArrayRef<Value> results,
                          unsigned lanes) {
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *end = b.block();
  b.branch(header, b.i64(0));
  b.at(header);
  Value lane = header->getArgument(0);
  b.branch(b.compare(KernelBuilder::Predicate::slt, lane, b.i64(lanes)), step,
           end);
  b.at(step);
  SmallVector<Value> operands;
  for (auto [type, array] : llvm::zip(call.getOperandTypes(), arguments))
    operands.push_back(b.load(type, b.element(array, type, lane)));
  Operation *made = b.insert(call.clone());
  made->setOperands(operands);
  for (auto [result, array] : llvm::zip(made->getResults(), results))
    b.store(result, b.element(array, result.getType(), lane));
  auto latch = LLVM::BrOp::create(b, b.add(lane, b.i64(1)), header);
  LoopHints hints;
  hints.shape = {lanes, 1};
  hints.independent = LLVM::AccessGroupAttr::get(b.getContext());
  for (Operation &op : *step)
    addToGroup(op, hints.independent);
  if (lanes > 1)
    annotate(latch, hints);
  b.at(end);
}

LLVM::LLVMFuncOp kern::ir::loop::functionOfLanes(KernelBuilder &b,
                                                 Operation &call,
                                                 unsigned lanes) {
  auto module = call.getParentOfType<ModuleOp>();
  std::string name = nameFor(call, lanes);
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto vectorsOf = [&](TypeRange types) {
    return llvm::map_to_vector(types, [&](Type type) -> Type {
      return VectorType::get({int64_t(lanes)}, type);
    });
  };
  SmallVector<Type> inputs = vectorsOf(call.getOperandTypes());
  SmallVector<Type> outputs = vectorsOf(call.getResultTypes());
  Type result = outputs.size() == 1
                    ? outputs.front()
                    : LLVM::LLVMStructType::getLiteral(b.getContext(), outputs);
  auto function = LLVM::LLVMFuncOp::create(
      b, name, LLVM::LLVMFunctionType::get(result, inputs),
      LLVM::Linkage::Internal);
  function.setAlwaysInline(true);
  b.at(function.addEntryBlock(b));
  auto arrayOf = [&](Type type) -> Value {
    return LLVM::AllocaOp::create(b, b.pointerType(), type, b.i64(1), 64);
  };
  SmallVector<Value> arguments, results;
  for (Value argument : function.getArguments()) {
    arguments.push_back(arrayOf(argument.getType()));
    LLVM::StoreOp::create(b, argument, arguments.back());
  }
  for (Type type : outputs)
    results.push_back(arrayOf(type));
  loopOverLanes(b, call, arguments, results, lanes);
  SmallVector<Value> values;
  for (auto [type, array] : llvm::zip(outputs, results))
    values.push_back(LLVM::LoadOp::create(b, type, array));
  if (values.size() == 1) {
    LLVM::ReturnOp::create(b, values);
    return function;
  }
  Value all = LLVM::UndefOp::create(b, result);
  for (auto [i, value] : llvm::enumerate(values))
    all = LLVM::InsertValueOp::create(b, all, value,
                                      ArrayRef<int64_t>{int64_t(i)});
  LLVM::ReturnOp::create(b, all);
  return function;
}

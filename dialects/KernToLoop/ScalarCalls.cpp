//===- ScalarCalls.cpp - calls, loops and branches ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/ScalarBuilder.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace kern::ir {

using runtime::DType;

static SmallVector<Value, 4> values(llvm::ArrayRef<Scalar> scalars) {
  return llvm::map_to_vector<4>(
      scalars, [](const Scalar &scalar) { return scalar.value; });
}

ValueRange ScalarBuilder::callSymbol(StringRef name, DType type,
                                     ValueRange operands, TypeRange results) {
  std::string symbol =
      ("kern." + name + "." + std::string(runtime::name(type))).str();
  if (!module.lookupSymbol(symbol)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    func::FuncOp::create(top, module.getLoc(), symbol,
                         top.getFunctionType(operands.getTypes(), results))
        .setPrivate();
  }
  return func::CallOp::create(builder, location, symbol, results, operands)
      .getResults();
}

Scalar ScalarBuilder::call(StringRef name, llvm::ArrayRef<Scalar> operands) {
  DType type = operands.front().type;
  assert((type == DType::F32 || type == DType::F64) &&
         "library functions of real numbers take f32 and f64");
  Type lowered = loopType(builder.getContext(), type);
  bool isPrefixed = isFast && !name.starts_with("fast.");
  std::string called = ((isPrefixed ? "fast." : "") + name).str();
  return {callSymbol(called, type, values(operands), {lowered})[0], type};
}

Scalar ScalarBuilder::callComplex(StringRef name,
                                  llvm::ArrayRef<Scalar> operands) {
  DType type = operands.front().type, part = partOf(type);
  SmallVector<Value, 4> parts;
  for (const Scalar &operand : operands) {
    assert(operand.type == type && isComplex(type));
    parts.push_back(real(operand).value);
    parts.push_back(imag(operand).value);
  }
  Type lowered = loopType(builder.getContext(), part);
  ValueRange results = callSymbol(name, type, parts, {lowered, lowered});
  return complex({results[0], part}, {results[1], part});
}

Scalar ScalarBuilder::intrinsic(StringRef name, llvm::ArrayRef<Scalar> operands,
                                DType result) {
  auto op = LLVM::CallIntrinsicOp::create(
      builder, location, loopType(builder.getContext(), result),
      builder.getStringAttr(name), values(operands));
  return {op.getResult(0), result};
}

Scalars ScalarBuilder::whileLoop(llvm::ArrayRef<Scalar> initial,
                                 Condition condition, Step step) {
  Block *before = builder.getInsertionBlock();
  Region *region = before->getParent();
  SmallVector<Type> types;
  for (const Scalar &scalar : initial)
    types.push_back(scalar.value.getType());
  SmallVector<Location> locations(types.size(), location);

  auto next = std::next(before->getIterator());
  Block *head = builder.createBlock(region, next, types, locations);
  Block *body = builder.createBlock(region, next);
  Block *after = builder.createBlock(region, next);

  builder.setInsertionPointToEnd(before);
  cf::BranchOp::create(builder, location, head, values(initial));

  Scalars state;
  for (auto [argument, scalar] : llvm::zip(head->getArguments(), initial))
    state.push_back({argument, scalar.type});
  builder.setInsertionPointToEnd(head);
  Scalar more = condition(state);
  cf::CondBranchOp::create(builder, location, more.value, body, ValueRange(),
                           after, ValueRange());
  builder.setInsertionPointToEnd(body);
  Scalars stepped = step(state);
  cf::BranchOp::create(builder, location, head, values(stepped));
  builder.setInsertionPointToEnd(after);
  return state;
}

Scalars ScalarBuilder::ifElse(Scalar condition,
                              llvm::function_ref<Scalars()> then,
                              llvm::function_ref<Scalars()> otherwise) {
  Block *before = builder.getInsertionBlock();
  Region *region = before->getParent();
  auto next = std::next(before->getIterator());
  Block *first = builder.createBlock(region, next);
  Block *second = builder.createBlock(region, next);
  Block *after = builder.createBlock(region, next);

  builder.setInsertionPointToEnd(before);
  cf::CondBranchOp::create(builder, location, condition.value, first,
                           ValueRange(), second, ValueRange());
  // A side may have blocks of its own, and ends in the last of them.
  builder.setInsertionPointToEnd(first);
  Scalars chosen = then();
  cf::BranchOp::create(builder, location, after, values(chosen));
  builder.setInsertionPointToEnd(second);
  cf::BranchOp::create(builder, location, after, values(otherwise()));

  builder.setInsertionPointToEnd(after);
  for (Scalar &scalar : chosen)
    scalar.value = after->addArgument(scalar.value.getType(), location);
  return chosen;
}

} // namespace kern::ir

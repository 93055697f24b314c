//===- GufuncCall.cpp - calls of a gufunc's body --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/GufuncCall.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

/// Hides `stride` in an expression that does not change it. LLVM's vectoriser
/// would version the loop for a plain stride of 1, and group the sums of other
/// strides differently.
static Value hideFromVersioning(KernelBuilder &b, Value stride) {
  return arith::MaxSIOp::create(b, stride, b.i64(-(int64_t(1) << 62)));
}

GufuncCall::GufuncCall(KernelBuilder &b, const KernelFacts &kernel,
                       LLVM::LLVMFuncOp entry, unsigned ownDims)
    : inputs(kernel.inputs.size()) {
  EntryWords words(b, entry);
  count = words.integer();
  for (unsigned i = 0; i < kernel.dims - ownDims; ++i)
    dims.push_back(words.integer());
  for (const auto &list : {kernel.inputs, kernel.outputs})
    for (const OperandFacts &facts : list) {
      Value pointer = words.pointer();
      GufuncOperand operand{facts.element, pointer, words.integer(), {}};
      for (unsigned i = 0; i < facts.rank; ++i)
        operand.coreStrides.push_back(words.integer());
      for (Value &stride : operand.coreStrides)
        stride = hideFromVersioning(b, stride);
      operands.push_back(operand);
    }
  for (size_t i = 0; i < kernel.slots.size(); ++i)
    slots.push_back(words.pointer());
  if (kernel.hasChecks())
    b.record = words.pointer();
}

Value GufuncCall::hasUnitStrides(KernelBuilder &b) const {
  Value all;
  for (const GufuncOperand &operand : operands) {
    if (operand.coreStrides.empty())
      continue;
    Value isUnit = b.compare(Predicate::eq, operand.coreStrides.back(),
                             b.i64(storedSize(operand.element)));
    all = all ? b.bitAnd(all, isUnit) : isUnit;
  }
  return all;
}

void GufuncCall::run(KernelBuilder &b, LLVM::LLVMFuncOp body, Value index,
                     bool hasUnitStrides) const {
  SmallVector<Value> arguments, addresses;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    Value address = b.offset(operand.pointer, b.mul(index, operand.stride));
    if (!operand.coreStrides.empty()) {
      arguments.push_back(address);
      arguments.append(operand.coreStrides);
      if (hasUnitStrides)
        arguments.back() = b.i64(storedSize(operand.element));
    } else if (k < inputs) {
      arguments.push_back(b.load(operand.element, address));
    } else {
      addresses.push_back(address);
    }
  }
  arguments.append(dims);
  arguments.append(slots);
  SmallVector<Value> results = b.call(body, arguments);
  for (auto [result, address] : llvm::zip(results, addresses))
    b.store(result, address);
}

//===- Operands.cpp - operands of an entry point --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Operands.h"

#include "dialects/LoopToGPU/Forms.h"

using namespace mlir;
using namespace kern::ir::loop;

Value kern::ir::loop::numberAt(KernelBuilder &b, const EntryOperand &range,
                               Value address) {
  Value start = b.addressOf(range.pointer);
  Value position = b.sub(b.addressOf(address), start);
  return b.add(start, b.mul(position, range.words.front()));
}

SmallVector<Type> kern::ir::loop::parameterTypes(KernelBuilder &b,
                                                 const KernelFacts &kernel,
                                                 ParameterCounts counts) {
  SmallVector<Type> types(counts.loop, b.getI64Type());
  for (const OperandFacts &input : kernel.inputs) {
    types.push_back(b.pointerType());
    types.append(wordCount(input.element) + counts.strides, b.getI64Type());
  }
  for (size_t i = 0; i < kernel.outputs.size() + kernel.isMasked; ++i) {
    types.push_back(b.pointerType());
    types.append(counts.strides, b.getI64Type());
  }
  return types;
}

Parameters::Parameters(KernelBuilder &b, const KernelFacts &kernel,
                       ParameterCounts counts, ValueRange arguments)
    : inputCount(kernel.inputs.size()), outputCount(kernel.outputs.size()) {
  unsigned next = 0;
  auto take = [&](unsigned count) {
    auto taken = arguments.slice(next, count);
    next += count;
    return SmallVector<Value>(taken);
  };
  auto takeStrides = [&] {
    SmallVector<Value> strides;
    for (Value word : take(counts.strides))
      strides.push_back(b.narrow(word));
    return strides;
  };
  loop = take(counts.loop);
  for (auto [k, input] : llvm::enumerate(kernel.inputs)) {
    EntryOperand operand;
    operand.element = input.element;
    operand.isRange = input.isRange;
    operand.pointer = take(1)[0];
    operand.words = take(wordCount(input.element));
    operand.isScalar = bit(b, loop.back(), k);
    operand.strides = takeStrides();
    operands.push_back(std::move(operand));
  }
  auto takeWritten = [&](Type element) {
    EntryOperand operand;
    operand.element = element;
    operand.pointer = take(1)[0];
    operand.strides = takeStrides();
    operands.push_back(std::move(operand));
  };
  for (const OperandFacts &output : kernel.outputs)
    takeWritten(output.element);
  if (kernel.isMasked)
    takeWritten(b.getI1Type());
}

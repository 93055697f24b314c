//===- Gufunc.cpp - entry points of gufuncs on the CPU --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"

using namespace mlir;
using namespace kern::loop;
using Predicate = Emitter::Predicate;

void kern::loop::emitGufunc(Emitter &b, const KernelFacts &kernel,
                            LLVM::LLVMFuncOp body) {
  EntryWords words(b, kernel, "general", 1);
  struct Operand {
    Type element;
    unsigned rank;
    Value pointer;
    Value stride;
    SmallVector<Value> coreStrides;
  };
  Value count = words.integer();
  SmallVector<Value> dims;
  for (unsigned i = 0; i < kernel.dims; ++i)
    dims.push_back(words.integer());
  SmallVector<Operand> operands;
  for (const auto &list : {kernel.inputs, kernel.outputs})
    for (const KernelFacts::Operand &facts : list) {
      Operand operand{facts.element, facts.rank, words.pointer(), {}, {}};
      operand.stride = words.integer();
      for (unsigned i = 0; i < facts.rank; ++i)
        operand.coreStrides.push_back(words.integer());
      operands.push_back(operand);
    }

  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *end = b.block();
  b.branch(header, b.i64(0));
  b.at(header);
  Value index = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, index, count), step, end);
  b.at(step);
  SmallVector<Value> arguments, addresses;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    Value address = b.offset(operand.pointer, b.mul(index, operand.stride));
    if (operand.rank > 0) {
      arguments.push_back(address);
      arguments.append(operand.coreStrides);
    } else if (k < kernel.inputs.size()) {
      arguments.push_back(b.load(operand.element, address));
    } else {
      addresses.push_back(address);
    }
  }
  arguments.append(dims);
  SmallVector<Value> results = b.call(body, arguments);
  for (auto [result, address] : llvm::zip(results, addresses))
    b.store(result, address);
  b.branch(header, b.add(index, b.i64(1)));
  b.at(end);
  b.ret();
}

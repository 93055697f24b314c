//===- Ufunc.cpp - entry points of ufuncs on the CPU ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/VectorLoops.h"

using namespace mlir;
using namespace kern::loop;
using Predicate = Emitter::Predicate;

/// Operands of a ufunc are disjoint or the very same array, so that no
/// iteration sees another's results: the loop needs no checks for overlap. Its
/// length is that of the vectors, so that nothing is left over.
static void vectorise(Block *block, Operation *latch,
                      const VectorShape &shape) {
  LoopHints hints;
  hints.shape = shape;
  hints.independent = LLVM::AccessGroupAttr::get(latch->getContext());
  for (Operation &op : *block)
    addToGroup(op, hints.independent);
  annotate(latch, hints);
}

void kern::loop::emitUfunc(Emitter &b, const KernelFacts &kernel,
                           LLVM::LLVMFuncOp body) {
  VectorShape shape = vectorShape(vectorFacts(body));
  vectoriseLoops(body);
  unsigned elements = shape.elements();
  EntryWords words(b, kernel, elements > 1 ? "contiguous" : "strided",
                   elements);
  struct Operand {
    Type element;
    Value pointer;
    Value step;
  };
  SmallVector<Operand> operands;
  Value blocks = words.integer();
  for (const auto &list : {kernel.inputs, kernel.outputs})
    for (const KernelFacts::Operand &facts : list) {
      Value pointer = words.pointer();
      operands.push_back({facts.element, pointer, words.integer()});
    }

  Block *outer = b.block(TypeRange{b.getI64Type()}), *row = b.block(),
        *inner = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *next = b.block(), *end = b.block();
  b.branch(outer, b.i64(0));
  b.at(outer);
  Value index = outer->getArgument(0);
  b.branch(b.compare(Predicate::slt, index, blocks), row, end);
  b.at(row);
  SmallVector<Value> starts;
  for (const Operand &operand : operands)
    starts.push_back(b.offset(operand.pointer, b.mul(index, operand.step)));
  b.branch(inner, b.i64(0));

  b.at(inner);
  Value lane = inner->getArgument(0);
  b.branch(b.compare(Predicate::slt, lane, b.i64(elements)), step, next);
  b.at(step);
  SmallVector<Value> arguments, addresses;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    Value address = b.element(starts[k], storedType(operand.element), lane);
    if (k < kernel.inputs.size())
      arguments.push_back(b.load(operand.element, address));
    else
      addresses.push_back(address);
  }
  SmallVector<Value> results = b.call(body, arguments);
  for (auto [result, address] : llvm::zip(results, addresses))
    b.store(result, address);
  auto latch = LLVM::BrOp::create(b, b.add(lane, b.i64(1)), inner);
  if (elements > 1)
    vectorise(step, latch, shape);

  b.at(next);
  auto turn = LLVM::BrOp::create(b, b.add(index, b.i64(1)), outer);
  leaveAlone(turn);
  b.at(end);
  b.ret();
}

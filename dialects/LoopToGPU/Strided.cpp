//===- Strided.cpp - the strided form -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All dimensions form one index, which is split by multiplications. The
// elements of a thread are a block's width apart, so that neighbouring threads
// read and write neighbouring elements.
//
// Parameters: n0 … n5, rank, count, divisors of n0, n1, n2, n3, n4, flags,
// (pointer, value, s0 … s5) of each input, (pointer, s0 … s5) of each output
// and of the mask.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Masks.h"
#include "dialects/LoopToGPU/Offsets.h"
#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

static constexpr ParameterCounts counts = {2 * loopRank + 2, loopRank};

/// The elements of an input: its scalar value, or those at `addresses`.
static SmallVector<Value> load(KernelBuilder &b, const EntryOperand &input,
                               ArrayRef<Value> addresses) {
  SmallVector<Value> loaded;
  if (input.isRange) {
    for (Value address : addresses)
      loaded.push_back(numberAt(b, input, address));
    return loaded;
  }
  Type element = input.element;
  Block *scalar = b.block(), *array = b.block(),
        *done =
            b.block(SmallVector<Type>(addresses.size(), valueType(element)));
  b.branch(input.isScalar, scalar, array);
  b.at(scalar);
  b.branch(done, SmallVector<Value>(addresses.size(),
                                    b.fromWords(element, input.words)));
  b.at(array);
  for (Value address : addresses)
    loaded.push_back(b.load(element, address));
  b.branch(done, loaded);
  b.at(done);
  return SmallVector<Value>(ValueRange(done->getArguments()));
}

void kern::ir::loop::emitStrided(KernelBuilder &b, const KernelFacts &kernel,
                                 LLVM::LLVMFuncOp body, bool disjoint) {
  StridedShape shape = stridedShape(operandFacts(kernel));
  LLVM::LLVMFuncOp function =
      beginUfunc(b, kernel, Form::Strided, counts, shape.block, disjoint);
  Entry entry = kernel.entry;
  entry.form = Form::Strided;
  entry.disjoint = disjoint;
  entry.block = shape.block;
  entry.elements = shape.elements;
  setEntry(function, entry);

  Parameters parameters(b, kernel, counts, function.getArguments());
  ArrayRef<Value> words = parameters.loop;
  Value count = b.narrow(words[loopRank + 1]);
  IndexSpace space = readIndexSpace(b, 0, words[loopRank], words,
                                    words.slice(loopRank + 2, loopRank - 1));
  Value first = b.add(b.mul(readRegister(b, Register::BlockX),
                            b.i32(shape.block * shape.elements)),
                      readRegister(b, Register::ThreadX));

  // Indices beyond the end read the last element and write nothing.
  SmallVector<Value> indices, isInside;
  for (unsigned e = 0; e < shape.elements; ++e) {
    Value index = b.add(first, b.i32(e * shape.block));
    isInside.push_back(b.compare(Predicate::ult, index, count));
    indices.push_back(b.least(index, b.sub(count, b.i32(1))));
  }
  SmallVector<SmallVector<Value>> offsets =
      offsetsOf(b, space, indices, parameters.operands);
  auto addresses = [&](size_t k) {
    SmallVector<Value> list;
    for (Value offset : offsets[k])
      list.push_back(
          b.offset(parameters.operands[k].pointer, b.widenSigned(offset)));
    return list;
  };

  SmallVector<SmallVector<Value>> values, results;
  Block *end = b.block();
  if (kernel.isMasked) {
    for (auto [isIn, address] :
         llvm::zip(isInside, addresses(parameters.operands.size() - 1)))
      isIn = b.bitAnd(isIn, b.load(b.getI1Type(), address));
    leaveUnlessAny(b, isInside, end);
  }
  for (auto [k, input] : llvm::enumerate(parameters.inputs())) {
    if (kernel.isMasked)
      offsets[k] = placesToRead(b, isInside, offsets[k]);
    values.push_back(load(b, input, addresses(k)));
  }
  for (unsigned e = 0; e < shape.elements; ++e) {
    SmallVector<Value> arguments;
    for (ArrayRef<Value> ofInput : values)
      arguments.push_back(ofInput[e]);
    results.push_back(b.call(body, arguments));
  }
  for (unsigned e = 0; e < shape.elements; ++e) {
    Block *write = b.block(), *next = b.block();
    b.branch(isInside[e], write, next);
    b.at(write);
    for (auto [k, value] : llvm::enumerate(results[e])) {
      size_t at = parameters.inputCount + k;
      b.store(value, b.offset(parameters.operands[at].pointer,
                              b.widenSigned(offsets[at][e])));
    }
    b.branch(next);
    b.at(next);
  }
  b.branch(end);
  b.at(end);
  b.ret();
}

//===- General.cpp - the general form -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters: count, n0 … n5, group, flags, the dimensions, (pointer, the value
// if it has no core dimensions, s0 … s5, core strides) of each input, (pointer,
// s0 … s5, core strides) of each output, (pointer, bytes) of each slot for
// local arrays.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

static constexpr unsigned rank = 6;

namespace {

struct GeneralOperand {
  OperandFacts facts;
  Value pointer;
  SmallVector<Value> words; ///< empty unless it may be a scalar
  SmallVector<Value> strides;
  SmallVector<Value> coreStrides;
};

/// The loop element and the lane of a thread.
struct Work {
  Value element;
  Value lane;
};

} // namespace

/// A group of more than 32 threads is a whole block.
static Work findWork(KernelBuilder &b, Value group) {
  ThreadPlace place(b);
  Value threads = b.widen(readRegister(b, Register::BlockSizeX));
  Value thread = b.add(b.mul(place.block, threads), place.thread);
  Value isBlock = b.compare(Predicate::sgt, group, b.i64(32));
  Value shift = LLVM::CountTrailingZerosOp::create(b, b.getI64Type(), group,
                                                   b.getBoolAttr(false));
  Value small = arith::ShRUIOp::create(b, thread, shift);
  Value member = b.bitAnd(place.thread, b.sub(group, b.i64(1)));
  return {arith::SelectOp::create(b, isBlock, place.block, small),
          arith::SelectOp::create(b, isBlock, place.thread, member)};
}

void kern::ir::loop::emitGeneral(KernelBuilder &b, const KernelFacts &kernel,
                                 LLVM::LLVMFuncOp body) {
  // One pass collects the types of the parameters and the operands. The values
  // follow when the function exists.
  SmallVector<Type> types(1 + rank + 2 + kernel.dims, b.getI64Type());
  auto lay = [&](const OperandFacts &operand, bool mayBeScalar) {
    types.push_back(b.pointerType());
    unsigned words = mayBeScalar ? wordCount(operand.element) : 0;
    types.append(words + rank + operand.rank, b.getI64Type());
  };
  for (const auto &input : kernel.inputs)
    lay(input, input.rank == 0);
  for (const auto &output : kernel.outputs)
    lay(output, false);
  for (size_t i = 0; i < kernel.slots.size(); ++i) {
    types.push_back(b.pointerType());
    types.push_back(b.getI64Type());
  }

  bool isShared = !kernel.entry.sharedExtents.empty();
  LLVM::LLVMFuncOp function = beginKernel(
      b, kernel, "general", types, isShared ? largestGroup : generalBlock);
  Entry entry = kernel.entry;
  entry.form = "general";
  entry.block = generalBlock;
  setEntry(function, entry);

  SmallVector<Value> words(function.getArguments());
  unsigned next = 0;
  auto take = [&](unsigned count) {
    SmallVector<Value> taken(words.begin() + next,
                             words.begin() + next + count);
    next += count;
    return taken;
  };
  Value count = take(1)[0];
  SmallVector<Value> extents = take(rank);
  Value group = take(1)[0], flags = take(1)[0];
  SmallVector<Value> dims = take(kernel.dims);
  SmallVector<GeneralOperand> operands;
  auto takeOperand = [&](const OperandFacts &facts, bool mayBeScalar) {
    GeneralOperand operand;
    operand.facts = facts;
    operand.pointer = take(1)[0];
    if (mayBeScalar)
      operand.words = take(wordCount(facts.element));
    operand.strides = take(rank);
    operand.coreStrides = take(facts.rank);
    operands.push_back(operand);
  };
  for (const auto &input : kernel.inputs)
    takeOperand(input, input.rank == 0);
  for (const auto &output : kernel.outputs)
    takeOperand(output, false);

  Work work = findWork(b, group);
  Block *inside = b.block(), *end = b.block();
  b.branch(b.compare(Predicate::slt, work.element, count), inside, end);
  b.at(inside);
  SmallVector<SmallVector<Value>> strides;
  for (const GeneralOperand &operand : operands)
    strides.push_back(operand.strides);
  SmallVector<Value> bytes = offsets(b, work.element, extents, strides);

  SmallVector<Value> arguments, scalarOutputs;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    Value address = b.offset(operand.pointer, bytes[k]);
    if (operand.facts.rank > 0) {
      arguments.push_back(address);
      arguments.append(operand.coreStrides);
    } else if (!operand.words.empty()) {
      arguments.push_back(scalarOrElement(
          b, operand.facts.element, bit(b, flags, k), operand.words, address));
    } else {
      scalarOutputs.push_back(address);
    }
  }
  arguments.append(dims);
  arguments.append({work.lane, group});
  for (bool isPerLane : kernel.slots) {
    Value pointer = take(1)[0], bytes = take(1)[0];
    Value number = work.element;
    if (isPerLane)
      number = b.add(b.mul(number, group), work.lane);
    arguments.push_back(b.offset(pointer, b.mul(number, bytes)));
  }
  SmallVector<Value> results = b.call(body, arguments);
  if (!results.empty()) {
    Block *first = b.block();
    b.branch(b.compare(Predicate::eq, work.lane, b.i64(0)), first, end);
    b.at(first);
    for (auto [result, address] : llvm::zip(results, scalarOutputs))
      b.store(result, address);
  }
  b.branch(end);
  b.at(end);
  b.ret();
}

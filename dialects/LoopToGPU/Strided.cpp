//===- Strided.cpp - the strided form -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters: n0 … n5, rows, tiles, flags, (pointer, value, s0 … s5) of each
// input, (pointer, s0 … s5) of each output.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Policy.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace kern::loop;
using Predicate = Emitter::Predicate;

static constexpr unsigned rank = 6;

void kern::loop::emitStrided(Emitter &b, const KernelFacts &kernel,
                             LLVM::LLVMFuncOp body) {
  SmallVector<Type> types(rank + 3, b.getI64Type());
  for (const KernelFacts::Operand &input : kernel.inputs) {
    types.push_back(b.pointerType());
    types.append(wordCount(input.element) + rank, b.getI64Type());
  }
  for (size_t i = 0; i < kernel.outputs.size(); ++i) {
    types.push_back(b.pointerType());
    types.append(rank, b.getI64Type());
  }
  LLVM::LLVMFuncOp function =
      beginKernel(b, kernel, "strided", types, stridedBlock);
  Entry entry = kernel.entry;
  entry.form = "strided";
  entry.block = stridedBlock;
  setEntry(function, entry);

  SmallVector<Value> words(function.getArguments());
  unsigned next = 0;
  auto take = [&](unsigned count) {
    SmallVector<Value> taken(words.begin() + next,
                             words.begin() + next + count);
    next += count;
    return taken;
  };
  SmallVector<Value> extents = take(rank);
  Value rows = take(1)[0], tiles = take(1)[0], flags = take(1)[0];
  SmallVector<Value> pointers;
  SmallVector<SmallVector<Value>> values;
  SmallVector<SmallVector<Value>> strides;
  for (const KernelFacts::Operand &input : kernel.inputs) {
    pointers.push_back(take(1)[0]);
    values.push_back(take(wordCount(input.element)));
    strides.push_back(take(rank));
  }
  for (size_t i = 0; i < kernel.outputs.size(); ++i) {
    pointers.push_back(take(1)[0]);
    strides.push_back(take(rank));
  }

  ThreadPlace place(b);
  auto wide = [&]<typename Register>() {
    return b.widen(Register::create(b, b.getI32Type()));
  };
  Value tile = b.rem(place.block, tiles), band = b.div(place.block, tiles);
  Value column =
      b.add(b.mul(tile, wide.operator()<NVVM::BlockDimXOp>()), place.thread);
  Value row = b.add(b.mul(band, wide.operator()<NVVM::BlockDimYOp>()),
                    wide.operator()<NVVM::ThreadIdYOp>());
  Block *inside = b.block(), *end = b.block();
  b.branch(b.bitAnd(b.compare(Predicate::slt, column, extents[0]),
                    b.compare(Predicate::slt, row, rows)),
           inside, end);
  b.at(inside);
  SmallVector<SmallVector<Value>> outer;
  for (const SmallVector<Value> &all : strides)
    outer.emplace_back(all.begin() + 1, all.end());
  SmallVector<Value> bytes =
      offsets(b, row, ArrayRef(extents).drop_front(), outer);
  SmallVector<Value> addresses;
  for (size_t k = 0; k < pointers.size(); ++k)
    addresses.push_back(
        b.offset(pointers[k], b.add(bytes[k], b.mul(column, strides[k][0]))));

  SmallVector<Value> arguments;
  for (auto [k, input] : llvm::enumerate(kernel.inputs))
    arguments.push_back(scalarOrElement(b, input.element, bit(b, flags, k),
                                        values[k], addresses[k]));
  SmallVector<Value> results = b.call(body, arguments);
  for (auto [k, result] : llvm::enumerate(results))
    b.store(result, addresses[kernel.inputs.size() + k]);
  b.branch(end);
  b.at(end);
  b.ret();
}

//===- SliceRecord.cpp - what slices leave for one another ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/SliceRecord.h"

#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/MarkedWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kern::ir::loop;

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

SliceRecord::SliceRecord(ImplicitLocOpBuilder &builder, KernelOp kernel,
                         Type type, Value places, int64_t slot, bool isMarked)
    : b(builder), type(type), isMarked(isMarked) {
  constexpr unsigned wordBytes = 8;
  unsigned bytes = storedSize(type);
  Type element = type;
  if (isMarked) {
    words = markedWords(type);
    bytes = words * wordBytes;
    element = b.getI64Type();
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.entry());
  Value count = b.createOrFold<arith::MulIOp>(
      b.createOrFold<arith::AddIOp>(places, constant(b, 1)),
      constant(b, words));
  array = LocalOp::create(b, ArrayType::get(b.getContext(), element, 1),
                          ValueRange{count}, /*zeroed=*/false,
                          b.getStrArrayAttr({std::to_string(bytes)}),
                          b.getI64IntegerAttr(slot), /*per_lane=*/false,
                          /*per_slice=*/true, /*shared=*/false);
}

Value SliceRecord::wordAt(Value place, unsigned word) {
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(place, constant(b, words)),
      constant(b, word));
}

void SliceRecord::write(Value value, Value place) {
  if (!isMarked) {
    StoreOp::create(b, value, array, ValueRange{place});
    return;
  }
  for (auto [k, word] : llvm::enumerate(toMarkedWords(b, value)))
    PublishOp::create(b, word, array, wordAt(place, unsigned(k)));
}

Value SliceRecord::read(Value place) {
  if (!isMarked)
    return LoadOp::create(b, type, array, ValueRange{place});
  SmallVector<Value> read;
  for (unsigned word = 0; word < words; ++word)
    read.push_back(AwaitWordOp::create(b, array, wordAt(place, word)));
  return fromMarkedWords(b, type, read);
}

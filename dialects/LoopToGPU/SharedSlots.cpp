//===- SharedSlots.cpp - a value of each thread in shared memory ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/SharedSlots.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace kern::ir::loop;

static constexpr StringLiteral sharedSymbol = "__kern_group_";
static constexpr unsigned sharedSpace = 3;
static constexpr unsigned alignment = 16;

unsigned kern::ir::loop::valueBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return 2 * storedSize(vector.getElementType());
  return storedSize(type);
}

Value kern::ir::loop::sharedMemoryOf(KernelBuilder &b, StringRef symbol,
                                     unsigned bytes) {
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(symbol)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes);
    LLVM::GlobalOp::create(b, type, /*isConstant=*/false,
                           LLVM::Linkage::Internal, symbol, Attribute(),
                           alignment, sharedSpace);
  }
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), sharedSpace), symbol);
}

SharedSlots::SharedSlots(KernelBuilder &b, Accumulator like, unsigned threads,
                         std::optional<unsigned> owner)
    : type(like.value.getType()), hasIndex(bool(like.index)) {
  // So many bytes for each thread. Kernels of one module share the symbols.
  auto memoryOf = [&](unsigned bytes, StringRef purpose) {
    std::string symbol = (sharedSymbol + purpose + Twine(bytes)).str();
    if (threads != largestGroup)
      symbol += ("_of_" + Twine(threads)).str();
    if (owner)
      symbol += ("_" + Twine(*owner)).str();
    return sharedMemoryOf(b, symbol, bytes * threads);
  };
  values = memoryOf(valueBytes(type), "");
  if (hasIndex)
    indices = memoryOf(sizeof(int64_t), "index");
}

void SharedSlots::store(KernelBuilder &b, Value thread, Accumulator mine) {
  Value bytes = b.mul(thread, b.i64(valueBytes(type)));
  b.store(mine.value, b.offset(values, bytes));
  if (hasIndex)
    b.store(mine.index, b.element(indices, b.getI64Type(), thread));
}

Accumulator SharedSlots::load(KernelBuilder &b, Value thread) {
  Value bytes = b.mul(thread, b.i64(valueBytes(type)));
  Accumulator found{b.load(type, b.offset(values, bytes)), Value()};
  if (hasIndex)
    found.index =
        b.load(b.getI64Type(), b.element(indices, b.getI64Type(), thread));
  return found;
}

SmallVector<Value> kern::ir::loop::valuesOf(Accumulator accumulator) {
  SmallVector<Value> values = {accumulator.value};
  if (accumulator.index)
    values.push_back(accumulator.index);
  return values;
}

Accumulator kern::ir::loop::accumulatorOf(ValueRange values) {
  return {values[0], values.size() > 1 ? Value(values[1]) : Value()};
}

//===- KernelBuilder.cpp - code in an llvm.func ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::ir::loop;

Type kern::ir::loop::storedType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : valueType(element);
}

Type kern::ir::loop::valueType(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return VectorType::get({2}, complex.getElementType());
  return element;
}

/// The alignment of elements in bytes: a complex number has that of its parts.
static unsigned alignmentOf(Type element) {
  return getElementTypeOrSelf(storedType(element)).getIntOrFloatBitWidth() / 8;
}

unsigned kern::ir::loop::storedSize(Type element) {
  bool isPair = isa<VectorType>(storedType(element));
  return alignmentOf(element) * (isPair ? 2 : 1);
}

unsigned kern::ir::loop::wordCount(Type element) {
  return storedSize(element) > sizeof(int64_t) ? 2 : 1;
}

Value KernelBuilder::i64(int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}
Value KernelBuilder::i32(int32_t value) {
  return arith::ConstantOp::create(*this, getI32IntegerAttr(value));
}
Value KernelBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}
Value KernelBuilder::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}
Value KernelBuilder::mul(Value a, Value b) {
  return createOrFold<arith::MulIOp>(a, b);
}
Value KernelBuilder::div(Value a, Value b) {
  return createOrFold<arith::DivUIOp>(a, b);
}
Value KernelBuilder::rem(Value a, Value b) {
  return createOrFold<arith::RemUIOp>(a, b);
}
Value KernelBuilder::bitAnd(Value a, Value b) {
  return createOrFold<arith::AndIOp>(a, b);
}
Value KernelBuilder::bitOr(Value a, Value b) {
  return createOrFold<arith::OrIOp>(a, b);
}
Value KernelBuilder::compare(Predicate predicate, Value a, Value b) {
  return createOrFold<arith::CmpIOp>(predicate, a, b);
}
Value KernelBuilder::least(Value a, Value b) {
  return createOrFold<arith::MinUIOp>(a, b);
}
Value KernelBuilder::widen(Value value) {
  return arith::ExtUIOp::create(*this, getI64Type(), value);
}
Value KernelBuilder::widenSigned(Value value) {
  return arith::ExtSIOp::create(*this, getI64Type(), value);
}
Value KernelBuilder::narrow(Value value) {
  return arith::TruncIOp::create(*this, getI32Type(), value);
}

Block *KernelBuilder::block(TypeRange arguments) {
  Region *region = getInsertionBlock()->getParent();
  Block *made = new Block;
  region->push_back(made);
  for (Type type : arguments)
    made->addArgument(type, getLoc());
  return made;
}

void KernelBuilder::branch(Block *to, ValueRange values) {
  cf::BranchOp::create(*this, to, values);
}

void KernelBuilder::branch(Value condition, Block *yes, Block *no,
                           ValueRange yesValues, ValueRange noValues) {
  cf::CondBranchOp::create(*this, condition, yes, yesValues, no, noValues);
}

Value KernelBuilder::offset(Value pointer, Value bytes) {
  return element(pointer, getI8Type(), bytes);
}

Value KernelBuilder::element(Value pointer, Type type, Value index) {
  return LLVM::GEPOp::create(*this, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{index});
}

Value KernelBuilder::addressOf(Value pointer) {
  return LLVM::PtrToIntOp::create(*this, getI64Type(), pointer);
}

Value KernelBuilder::load(Type element, Value address) {
  unsigned alignment = memory.isAligned ? alignmentOf(element) : 1;
  return fromStored(element, LLVM::LoadOp::create(*this, storedType(element),
                                                  address, alignment));
}

void KernelBuilder::store(Value value, Value address) {
  unsigned alignment = memory.isAligned ? alignmentOf(value.getType()) : 1;
  LLVM::StoreOp::create(*this, toStored(value), address, alignment);
}

Value KernelBuilder::fromStored(Type element, Value stored) {
  if (!element.isInteger(1))
    return stored;
  Value zero = arith::ConstantOp::create(*this, getI8IntegerAttr(0));
  return compare(Predicate::ne, stored, zero);
}

Value KernelBuilder::toStored(Value value) {
  if (!value.getType().isInteger(1))
    return value;
  return arith::ExtUIOp::create(*this, getI8Type(), value);
}

Value KernelBuilder::fromWords(Type element, ArrayRef<Value> words) {
  Type stored = storedType(element);
  if (words.size() == 2) {
    Type part = cast<VectorType>(stored).getElementType();
    Value pair = LLVM::UndefOp::create(*this, stored);
    for (auto [i, word] : llvm::enumerate(words))
      pair = LLVM::InsertElementOp::create(*this, pair, fromWords(part, word),
                                           i64(i));
    return pair;
  }
  Type bits = getIntegerType(storedSize(element) * 8);
  Value value = words.front();
  if (bits != getI64Type())
    value = arith::TruncIOp::create(*this, bits, value);
  if (bits != stored)
    value = LLVM::BitcastOp::create(*this, stored, value);
  return fromStored(element, value);
}

SmallVector<Value> KernelBuilder::call(LLVM::LLVMFuncOp body,
                                       ValueRange arguments, CallPlace place) {
  SmallVector<Value> all(arguments);
  if (record)
    all.push_back(record);
  auto call = LLVM::CallOp::create(*this, body, all);
  call.setInlineHint(place == CallPlace::OfMost);
  call.setNoInline(place == CallPlace::OfFew);
  if (call.getNumResults() == 0)
    return {};
  auto structure = dyn_cast<LLVM::LLVMStructType>(call.getResult().getType());
  if (!structure)
    return {call.getResult()};
  SmallVector<Value> values;
  for (size_t i = 0; i < structure.getBody().size(); ++i)
    values.push_back(LLVM::ExtractValueOp::create(
        *this, call.getResult(), ArrayRef<int64_t>{int64_t(i)}));
  return values;
}

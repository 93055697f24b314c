//===- Emitter.cpp - code in an llvm.func ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Emitter.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::loop;

Type kern::loop::storedType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : valueType(element);
}

Type kern::loop::valueType(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return VectorType::get({2}, complex.getElementType());
  return element;
}

/// Bytes to which an owner aligns elements: a complex number like its parts.
static unsigned alignmentOf(Type element) {
  return getElementTypeOrSelf(storedType(element)).getIntOrFloatBitWidth() / 8;
}

unsigned kern::loop::storedSize(Type element) {
  bool isPair = isa<VectorType>(storedType(element));
  return alignmentOf(element) * (isPair ? 2 : 1);
}

unsigned kern::loop::wordCount(Type element) {
  return storedSize(element) > sizeof(int64_t) ? 2 : 1;
}

Value Emitter::i64(int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}
Value Emitter::i32(int32_t value) {
  return arith::ConstantOp::create(*this, getI32IntegerAttr(value));
}
Value Emitter::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}
Value Emitter::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}
Value Emitter::mul(Value a, Value b) {
  return createOrFold<arith::MulIOp>(a, b);
}
Value Emitter::div(Value a, Value b) {
  return createOrFold<arith::DivUIOp>(a, b);
}
Value Emitter::rem(Value a, Value b) {
  return createOrFold<arith::RemUIOp>(a, b);
}
Value Emitter::bitAnd(Value a, Value b) {
  return createOrFold<arith::AndIOp>(a, b);
}
Value Emitter::bitOr(Value a, Value b) {
  return createOrFold<arith::OrIOp>(a, b);
}
Value Emitter::compare(Predicate predicate, Value a, Value b) {
  return createOrFold<arith::CmpIOp>(predicate, a, b);
}
Value Emitter::least(Value a, Value b) {
  return createOrFold<arith::MinUIOp>(a, b);
}
Value Emitter::widen(Value value) {
  return arith::ExtUIOp::create(*this, getI64Type(), value);
}
Value Emitter::widenSigned(Value value) {
  return arith::ExtSIOp::create(*this, getI64Type(), value);
}
Value Emitter::narrow(Value value) {
  return arith::TruncIOp::create(*this, getI32Type(), value);
}

Block *Emitter::block(TypeRange arguments) {
  Region *region = getInsertionBlock()->getParent();
  Block *made = new Block;
  region->push_back(made);
  for (Type type : arguments)
    made->addArgument(type, getLoc());
  return made;
}

void Emitter::branch(Block *to, ValueRange values) {
  cf::BranchOp::create(*this, to, values);
}

void Emitter::branch(Value condition, Block *yes, Block *no,
                     ValueRange yesValues, ValueRange noValues) {
  cf::CondBranchOp::create(*this, condition, yes, yesValues, no, noValues);
}

Value Emitter::offset(Value pointer, Value bytes) {
  return element(pointer, getI8Type(), bytes);
}

Value Emitter::element(Value pointer, Type type, Value index) {
  return LLVM::GEPOp::create(*this, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{index});
}

Value Emitter::addressOf(Value pointer) {
  return LLVM::PtrToIntOp::create(*this, getI64Type(), pointer);
}

Value Emitter::load(Type element, Value address) {
  unsigned alignment = memory.isAligned ? alignmentOf(element) : 1;
  return fromStored(element, LLVM::LoadOp::create(*this, storedType(element),
                                                  address, alignment));
}

void Emitter::store(Value value, Value address) {
  unsigned alignment = memory.isAligned ? alignmentOf(value.getType()) : 1;
  LLVM::StoreOp::create(*this, toStored(value), address, alignment);
}

Value Emitter::fromStored(Type element, Value stored) {
  if (!element.isInteger(1))
    return stored;
  Value zero = arith::ConstantOp::create(*this, getI8IntegerAttr(0));
  return compare(Predicate::ne, stored, zero);
}

Value Emitter::toStored(Value value) {
  if (!value.getType().isInteger(1))
    return value;
  return arith::ExtUIOp::create(*this, getI8Type(), value);
}

Value Emitter::fromWords(Type element, ArrayRef<Value> words) {
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

SmallVector<Value> Emitter::call(LLVM::LLVMFuncOp body, ValueRange arguments) {
  SmallVector<Value> all(arguments);
  if (record)
    all.push_back(record);
  auto call = LLVM::CallOp::create(*this, body, all);
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

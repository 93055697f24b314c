//===- MarkedWords.cpp - values in words that blocks exchange -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/MarkedWords.h"

#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace kern::ir::loop;

static constexpr unsigned partBits = 32;

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

/// The numbers that a value consists of: one, or the two parts of a complex
/// number.
static SmallVector<Value> numbersOf(ImplicitLocOpBuilder &b, Value value) {
  if (!isa<ComplexType>(value.getType()))
    return {value};
  return {complex::ReOp::create(b, value), complex::ImOp::create(b, value)};
}

/// The 32-bit parts of a number, each in an i64, low ones first.
static SmallVector<Value> partsOf(ImplicitLocOpBuilder &b, Value number) {
  unsigned bits = number.getType().getIntOrFloatBitWidth();
  if (!number.getType().isInteger())
    number = arith::BitcastOp::create(b, b.getIntegerType(bits), number);
  if (bits < 64)
    return {arith::ExtUIOp::create(b, b.getI64Type(), number)};
  Value low = arith::AndIOp::create(b, number, constant(b, UINT32_MAX));
  return {low, arith::ShRUIOp::create(b, number, constant(b, partBits))};
}

/// The inverse of partsOf().
static Value numberOf(ImplicitLocOpBuilder &b, Type type,
                      ArrayRef<Value> parts) {
  unsigned bits = type.getIntOrFloatBitWidth();
  Type asInteger = b.getIntegerType(bits);
  Value number;
  if (bits < 64)
    number = arith::TruncIOp::create(b, asInteger, parts[0]);
  else
    number = arith::OrIOp::create(
        b, parts[0], arith::ShLIOp::create(b, parts[1], constant(b, partBits)));
  return type == asInteger ? number
                           : Value(arith::BitcastOp::create(b, type, number));
}

unsigned kern::ir::loop::markedWords(Type type) {
  constexpr unsigned partBytes = partBits / 8;
  return (storedSize(type) + partBytes - 1) / partBytes;
}

SmallVector<Value> kern::ir::loop::toMarkedWords(ImplicitLocOpBuilder &b,
                                                 Value value) {
  Value mark = constant(b, int64_t(1) << partBits);
  SmallVector<Value> words;
  for (Value number : numbersOf(b, value))
    for (Value part : partsOf(b, number))
      words.push_back(arith::OrIOp::create(b, part, mark));
  return words;
}

Value kern::ir::loop::fromMarkedWords(ImplicitLocOpBuilder &b, Type type,
                                      ArrayRef<Value> words) {
  SmallVector<Value> parts;
  for (Value word : words)
    parts.push_back(arith::AndIOp::create(b, word, constant(b, UINT32_MAX)));
  auto complexType = dyn_cast<ComplexType>(type);
  if (!complexType)
    return numberOf(b, type, parts);
  ArrayRef<Value> all(parts);
  Type part = complexType.getElementType();
  return complex::CreateOp::create(
      b, type, numberOf(b, part, all.take_front(words.size() / 2)),
      numberOf(b, part, all.drop_front(words.size() / 2)));
}

//===- Chunk.cpp - consecutive elements of a thread -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Chunk.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The number of parts of an element in memory: two for a complex number.
static unsigned partCount(Type stored) {
  return isa<VectorType>(stored) ? 2 : 1;
}

VectorType ChunkAccess::type(Type element) const {
  Type stored = storedType(element);
  return VectorType::get({int64_t(size * partCount(stored))},
                         getElementTypeOrSelf(stored));
}

Chunk ChunkAccess::unpack(Type element, Value vector) const {
  Type stored = storedType(element);
  auto part = [&](unsigned i) {
    return LLVM::ExtractElementOp::create(b, vector, b.i64(i));
  };
  Chunk chunk;
  for (unsigned i = 0; i < size; ++i) {
    if (partCount(stored) == 1) {
      chunk.push_back(b.fromStored(element, part(i)));
      continue;
    }
    Value pair = LLVM::UndefOp::create(b, stored);
    for (unsigned k : {0, 1})
      pair = LLVM::InsertElementOp::create(b, pair, part(2 * i + k), b.i64(k));
    chunk.push_back(pair);
  }
  return chunk;
}

Value ChunkAccess::pack(Type element, const Chunk &chunk) const {
  Value vector = LLVM::UndefOp::create(b, type(element));
  unsigned at = 0;
  for (Value value : chunk) {
    if (partCount(storedType(element)) == 1) {
      vector = LLVM::InsertElementOp::create(b, vector, b.toStored(value),
                                             b.i64(at++));
      continue;
    }
    for (unsigned k : {0, 1})
      vector = LLVM::InsertElementOp::create(
          b, vector, LLVM::ExtractElementOp::create(b, value, b.i64(k)),
          b.i64(at++));
  }
  return vector;
}

Value ChunkAccess::load(Type element, Value address) const {
  return LLVM::LoadOp::create(b, type(element), address, bytes(element));
}

/// The element type of a value; a vector is a complex number.
static Type elementOf(Type value) {
  auto pair = dyn_cast<VectorType>(value);
  return pair ? ComplexType::get(pair.getElementType()) : value;
}

void ChunkAccess::store(const Chunk &chunk, Value address) const {
  Type element = elementOf(chunk.front().getType());
  LLVM::StoreOp::create(b, pack(element, chunk), address, bytes(element));
}

Chunk ChunkAccess::loadEach(Type element, Value address, Value stride) const {
  Chunk chunk;
  for (unsigned i = 0; i < size; ++i) {
    chunk.push_back(b.load(element, address));
    address = i + 1 < size ? b.offset(address, stride) : address;
  }
  return chunk;
}

void ChunkAccess::storeEach(const Chunk &chunk, Value address,
                            Value stride) const {
  for (Value value : chunk) {
    b.store(value, address);
    address = b.offset(address, stride);
  }
}

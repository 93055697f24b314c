//===- Masks.cpp - elements that a mask turns off -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Masks.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

Value kern::ir::loop::anyTrue(const ChunkAccess &access, Value mask) {
  KernelBuilder &b = access.b;
  Type word = b.getIntegerType(8 * access.bytes(b.getI1Type()));
  Value zero = arith::ConstantOp::create(b, b.getIntegerAttr(word, 0));
  return b.compare(Predicate::ne, LLVM::BitcastOp::create(b, word, mask), zero);
}

Value kern::ir::loop::anyTrue(KernelBuilder &b, ArrayRef<Value> truths) {
  Value any = truths.front();
  for (Value truth : truths.drop_front())
    any = b.bitOr(any, truth);
  return any;
}

void kern::ir::loop::leaveUnlessAny(KernelBuilder &b, ArrayRef<Value> areOn,
                                    Block *none) {
  Block *some = b.block();
  b.branch(anyTrue(b, areOn), some, none);
  b.at(some);
}

SmallVector<Value> kern::ir::loop::placesToRead(KernelBuilder &b,
                                                ArrayRef<Value> areOn,
                                                ValueRange places) {
  auto choose = [&](Value isOn, Value place, Value other) {
    return arith::SelectOp::create(b, isOn, place, other).getResult();
  };
  Value first = places.back();
  for (auto [isOn, place] :
       llvm::reverse(llvm::zip(areOn.drop_back(), places.drop_back())))
    first = choose(isOn, place, first);
  SmallVector<Value> read;
  for (auto [isOn, place] : llvm::zip(areOn, places))
    read.push_back(choose(isOn, place, first));
  return read;
}

void kern::ir::loop::whereTrue(KernelBuilder &b, Value truth,
                               llvm::function_ref<void()> write) {
  Block *on = b.block(), *next = b.block();
  b.branch(truth, on, next);
  b.at(on);
  write();
  b.branch(next);
  b.at(next);
}

void kern::ir::loop::storeWhere(const ChunkAccess &access, Type element,
                                const Chunk &chunk, const Chunk &truths,
                                Value address) {
  KernelBuilder &b = access.b;
  Value all = truths.front();
  for (Value truth : ArrayRef(truths).drop_front())
    all = b.bitAnd(all, truth);
  Block *whole = b.block(), *each = b.block(), *done = b.block();
  b.branch(all, whole, each);
  b.at(whole);
  access.store(chunk, address);
  b.branch(done);
  b.at(each);
  storeEachWhere(access, chunk, truths, address, b.i64(storedSize(element)));
  b.branch(done);
  b.at(done);
}

void kern::ir::loop::storeEachWhere(const ChunkAccess &access,
                                    const Chunk &chunk, const Chunk &truths,
                                    Value address, Value stride) {
  KernelBuilder &b = access.b;
  for (auto [i, truth] : llvm::enumerate(truths)) {
    Value at =
        i ? b.offset(address, b.mul(stride, b.i64(int64_t(i)))) : address;
    whereTrue(b, truth, [&] { b.store(chunk[i], at); });
  }
}

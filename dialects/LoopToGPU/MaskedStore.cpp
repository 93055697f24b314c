//===- MaskedStore.cpp - masked stores ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/MaskedStore.h"

using namespace mlir;
using namespace kern::ir::loop;

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

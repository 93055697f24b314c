//===- EmitCheck.cpp - a check as control flow ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/EmitCheck.h"

using namespace mlir;
using namespace kern::ir::loop;

void kern::ir::loop::emitCheck(KernelBuilder &b, CheckOp check, Value record,
                               Type resultType) {
  Block *before = check->getBlock();
  Block *after = before->splitBlock(check->getNextNode());
  auto newBlock = [&] {
    auto *block = new Block;
    block->insertBefore(after); // the region owns it
    return block;
  };
  Block *failed = newBlock(), *first = newBlock(), *leave = newBlock();
  b.at(before);
  b.branch(check.getCondition(), after, failed);

  b.at(failed);
  auto word = [&](unsigned index) {
    return b.element(record, b.getI64Type(), b.i64(index));
  };
  Value zero = b.i64(0);
  auto exchange = LLVM::AtomicCmpXchgOp::create(
      b, word(0), zero, b.i64(int64_t(check.getNumber()) + 1),
      LLVM::AtomicOrdering::monotonic, LLVM::AtomicOrdering::monotonic);
  Value isFirst =
      LLVM::ExtractValueOp::create(b, exchange, ArrayRef<int64_t>{1});
  b.branch(isFirst, first, leave);

  b.at(first);
  for (auto [index, value] :
       llvm::enumerate(check.getValues().take_front(recordWords - 1)))
    LLVM::StoreOp::create(b, value, word(unsigned(index) + 1), /*alignment=*/8);
  b.branch(leave);

  b.at(leave);
  if (isa<LLVM::LLVMVoidType>(resultType)) {
    b.ret();
  } else {
    Value none = LLVM::ZeroOp::create(b, resultType);
    LLVM::ReturnOp::create(b, none);
  }
}

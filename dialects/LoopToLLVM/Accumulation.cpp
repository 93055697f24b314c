//===- Accumulation.cpp - accumulation into shared elements ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Accumulation.h"

#include "dialects/LoopToLLVM/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::ir::loop;

/// `add` of bools is `or`.
static AccumulateKind kindFor(AccumulateKind kind, Type element) {
  bool isOr = kind == AccumulateKind::Add && element.isInteger(1);
  return isOr ? AccumulateKind::Or : kind;
}

void kern::ir::loop::expandAccumulation(AccumulateOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value old = LoadOp::create(b, op.getValue().getType(), op.getArray(),
                             op.getIndices());
  Value sum;
  switch (kindFor(op.getKind(), old.getType())) {
  case AccumulateKind::Add:
    sum = combine(b, ReduceKind::Sum, {old, {}}, {op.getValue(), {}}).value;
    break;
  case AccumulateKind::And:
    sum = arith::AndIOp::create(b, old, op.getValue());
    break;
  case AccumulateKind::Or:
    sum = arith::OrIOp::create(b, old, op.getValue());
    break;
  case AccumulateKind::Xor:
    sum = arith::XOrIOp::create(b, old, op.getValue());
    break;
  }
  StoreOp::create(b, sum, op.getArray(), op.getIndices());
  op.erase();
}

static LLVM::AtomicBinOp atomicOf(AccumulateKind kind) {
  switch (kind) {
  case AccumulateKind::Add:
    return LLVM::AtomicBinOp::add;
  case AccumulateKind::And:
    return LLVM::AtomicBinOp::_and;
  case AccumulateKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AccumulateKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  }
  llvm_unreachable("all kinds are handled");
}

void kern::ir::loop::emitAtomic(KernelBuilder &b, AccumulateKind kind,
                                Value value, Value address) {
  kind = kindFor(kind, value.getType());
  LLVM::AtomicRMWOp::create(b, atomicOf(kind), address, b.toStored(value),
                            LLVM::AtomicOrdering::monotonic);
}

//===- Accumulation.cpp - accumulation into shared elements ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Accumulation.h"

#include "dialects/LoopToLLVM/Carried.h"
#include "dialects/LoopToLLVM/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::ir::loop;

/// `add` and the maximum of bools is `or`, and the minimum `and`.
static AccumulateKind kindFor(AccumulateKind kind, Type element) {
  using enum AccumulateKind;
  if (!element.isInteger(1))
    return kind;
  return kind == Add || kind == UMax ? Or : kind == UMin ? And : kind;
}

void kern::ir::loop::expandAccumulation(AccumulateOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value old = LoadOp::create(b, op.getValue().getType(), op.getArray(),
                             op.getIndices());
  auto combined = [&](ReduceKind kind) {
    return combine(b, kind, {old, {}}, {op.getValue(), {}}).value;
  };
  Value joined;
  switch (kindFor(op.getKind(), old.getType())) {
  case AccumulateKind::Add:
    joined = combined(ReduceKind::Sum);
    contractWith(joined, op.getValue());
    break;
  case AccumulateKind::And:
    joined = arith::AndIOp::create(b, old, op.getValue());
    break;
  case AccumulateKind::Or:
    joined = arith::OrIOp::create(b, old, op.getValue());
    break;
  case AccumulateKind::Xor:
    joined = arith::XOrIOp::create(b, old, op.getValue());
    break;
  case AccumulateKind::SMin:
    joined = combined(ReduceKind::SMin);
    break;
  case AccumulateKind::SMax:
    joined = combined(ReduceKind::SMax);
    break;
  case AccumulateKind::UMin:
    joined = combined(ReduceKind::UMin);
    break;
  case AccumulateKind::UMax:
    joined = combined(ReduceKind::UMax);
    break;
  case AccumulateKind::FMinNan:
    joined = combined(ReduceKind::FMinNan);
    break;
  case AccumulateKind::FMaxNan:
    joined = combined(ReduceKind::FMaxNan);
    break;
  }
  StoreOp::create(b, joined, op.getArray(), op.getIndices());
  op.erase();
}

void kern::ir::loop::orderByBits(AccumulateOp op) {
  const bool isMin = op.getKind() == AccumulateKind::FMinNan;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value array = op.getArray(), value = op.getValue();
  auto type = cast<FloatType>(value.getType());
  const unsigned width = type.getWidth();
  Type bits = b.getIntegerType(width);
  auto bitsOf = [&](Value number) -> Value {
    return arith::BitcastOp::create(b, bits, number);
  };
  Value old = LoadOp::create(b, type, array, op.getIndices());
  Value joined = combine(b, isMin ? ReduceKind::FMinNan : ReduceKind::FMaxNan,
                         {old, {}}, {value, {}})
                     .value;
  // A NaN stays, whatever its sign. What was read may be out of date: elements
  // go one way, so that what changes nothing now changes nothing later.
  Value isNumber =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, old, old);
  Value changes = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                        bitsOf(joined), bitsOf(old));
  // As integers, NaNs of this sign come before all numbers.
  llvm::APFloat nan = llvm::APFloat::getQNaN(type.getFloatSemantics(), isMin);
  Value first = arith::ConstantOp::create(b, b.getFloatAttr(type, nan));
  Value isNan =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  value = arith::SelectOp::create(b, isNan, first, value);
  Value zero = arith::ConstantOp::create(b, b.getIntegerAttr(bits, 0));
  Value isNegative =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, bitsOf(value), zero);
  Value needed = arith::AndIOp::create(b, isNumber, changes);

  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  auto update = [&](AccumulateKind kind) {
    Block *block = b.createBlock(after);
    AccumulateOp::create(b, kind, value, array, op.getIndices());
    cf::BranchOp::create(b, after);
    return block;
  };
  // Of one sign, floats are ordered as their bits, or the other way round.
  Block *ofPositive =
      update(isMin ? AccumulateKind::SMin : AccumulateKind::SMax);
  Block *ofNegative =
      update(isMin ? AccumulateKind::UMax : AccumulateKind::UMin);
  Block *some = b.createBlock(ofPositive);
  cf::CondBranchOp::create(b, isNegative, ofNegative, ofPositive);
  b.setInsertionPointToEnd(before);
  cf::CondBranchOp::create(b, needed, some, after);
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
  case AccumulateKind::SMin:
    return LLVM::AtomicBinOp::min;
  case AccumulateKind::SMax:
    return LLVM::AtomicBinOp::max;
  case AccumulateKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case AccumulateKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case AccumulateKind::FMinNan:
  case AccumulateKind::FMaxNan:
    break;
  }
  llvm_unreachable("orderByBits() replaces the other kinds");
}

void kern::ir::loop::emitAtomic(KernelBuilder &b, AccumulateKind kind,
                                Value value, Value address) {
  kind = kindFor(kind, value.getType());
  Value stored = b.toStored(value);
  if (isa<FloatType>(value.getType()))
    stored = LLVM::BitcastOp::create(
        b, b.getIntegerType(stored.getType().getIntOrFloatBitWidth()), stored);
  LLVM::AtomicRMWOp::create(b, atomicOf(kind), address, stored,
                            LLVM::AtomicOrdering::monotonic);
}

//===- Accumulation.h - accumulation into shared elements -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// Replaces an accumulation by a load, the operation and a store. No other lane
/// may access the element at the same time.
void expandAccumulation(AccumulateOp op);

/// Whether an accumulation is one of several floats' least or greatest, whose
/// result no order changes.
inline bool isExtremumOfFloats(AccumulateOp op) {
  return op.getKind() == AccumulateKind::FMinNan ||
         op.getKind() == AccumulateKind::FMaxNan;
}

/// Replaces such an accumulation by those of the float's bits as integers, on
/// the path on which it changes the element. A NaN stays.
void orderByBits(AccumulateOp op);

/// Emits an atomic accumulation of an integer, or of a float's bits, at an
/// address. An element of i1 is a byte.
void emitAtomic(KernelBuilder &b, AccumulateKind kind, mlir::Value value,
                mlir::Value address);

} // namespace kern::ir::loop

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

/// Emits an atomic accumulation of an integer at an address. An element of i1
/// is a byte.
void emitAtomic(KernelBuilder &b, AccumulateKind kind, mlir::Value value,
                mlir::Value address);

} // namespace kern::ir::loop

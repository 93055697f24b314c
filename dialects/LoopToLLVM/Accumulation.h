//===- Accumulation.h - joining values to shared elements -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::loop {

/// Replaces an accumulation by a load, the operation and a store: where no
/// other lane can meet it.
void expandAccumulation(AccumulateOp op);

/// Emits an atomic accumulation of an integer at an address. Elements of i1
/// are bytes.
void emitAtomic(KernelBuilder &b, AccumulateKind kind, mlir::Value value,
                mlir::Value address);

} // namespace kern::loop

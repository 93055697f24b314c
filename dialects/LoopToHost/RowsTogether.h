//===- RowsTogether.h - rows that are added up together ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A prange whose iterations add up one row each, as in a matrix times a vector,
// reads one stream of memory. Four rows together are four streams, of which a
// CPU has more under way, and what all rows read is read once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// Lets iterations of such pranges run together, before vectoriseLoops(). Sums
/// keep their order. Returns whether there are any.
bool addUpRowsTogether(KernelBuilder &b, mlir::LLVM::LLVMFuncOp body);

} // namespace kern::ir::loop

//===- RowsAhead.h - fetching later rows of arrays --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/CountedLoop.h"

namespace kern::ir::loop {

/// Of an llvm.intr.prefetch: the bytes of the element at the address, which
/// each lane has one of.
inline constexpr llvm::StringLiteral fetchedBytes = "loop.fetched_bytes";

/// Whether what a loop loads from an address is less than a kilobyte from what
/// its next iteration does, so that a CPU fetches it by itself; null if that is
/// not known before the loop.
mlir::Value hasNearRows(KernelBuilder &b, const CountedLoop &loop,
                        mlir::Value address);
/// Fetches the place of an element to the second-level cache.
void fetchRow(KernelBuilder &b, mlir::Value address, mlir::Type element);
/// Adds fetches to the second-level cache to innermost loops that count: of
/// each element that they load, the one that an iteration some way ahead will.
void fetchRowsAhead(KernelBuilder &b, mlir::LLVM::LLVMFuncOp body);

} // namespace kern::ir::loop

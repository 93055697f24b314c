//===- MaskedStore.h - results behind a mask --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes elements where a mask is true; nothing else is read or written, so
// that calls with other masks may be at the same array.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Chunk.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::loop {

/// Emits what `write` does behind a branch.
void whereTrue(KernelBuilder &b, mlir::Value truth,
               llvm::function_ref<void()> write);

/// A chunk at a multiple of its bytes: in one access where `truths`, one i1 for
/// each element, all hold, else one by one.
void storeWhere(const ChunkAccess &access, mlir::Type element,
                const Chunk &chunk, const Chunk &truths, mlir::Value address);

/// One by one, `stride` bytes (i64) apart.
void storeEachWhere(const ChunkAccess &access, const Chunk &chunk,
                    const Chunk &truths, mlir::Value address,
                    mlir::Value stride);

} // namespace kern::loop

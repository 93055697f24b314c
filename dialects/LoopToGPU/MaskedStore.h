//===- MaskedStore.h - masked stores ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes elements where a mask is true, and does not access the others. Calls
// with other masks may write to the same array at the same time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Chunk.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::ir::loop {

/// Emits the code of `write` under the condition `truth`.
void whereTrue(KernelBuilder &b, mlir::Value truth,
               llvm::function_ref<void()> write);

/// Stores a chunk at a multiple of its bytes. `truths` has an i1 for each
/// element. If all are true it is one access, else one for each element.
void storeWhere(const ChunkAccess &access, mlir::Type element,
                const Chunk &chunk, const Chunk &truths, mlir::Value address);

/// Stores the elements one by one, `stride` bytes (i64) apart.
void storeEachWhere(const ChunkAccess &access, const Chunk &chunk,
                    const Chunk &truths, mlir::Value address,
                    mlir::Value stride);

} // namespace kern::ir::loop

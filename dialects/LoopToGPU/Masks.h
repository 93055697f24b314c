//===- Masks.h - elements that a mask turns off -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements of results where a mask is false are not accessed: calls with other
// masks may write to the same array at the same time. The mask is read first,
// and of the inputs only what is read together with an element that is on; but
// in the tiled form threads read inputs for one another, and read all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Chunk.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::ir::loop {

/// Whether any element of a chunk of a mask, as loaded, is true.
mlir::Value anyTrue(const ChunkAccess &access, mlir::Value mask);
/// Likewise for its elements, as i1.
mlir::Value anyTrue(KernelBuilder &b, llvm::ArrayRef<mlir::Value> truths);

/// Branches to `none` unless one of `areOn` (i1) is true.
void leaveUnlessAny(KernelBuilder &b, llvm::ArrayRef<mlir::Value> areOn,
                    mlir::Block *none);

/// Each of `places`, such as an address, where it is on, else the first that is
/// on: what a thread reads there, it reads anyway. One of `areOn` is true.
llvm::SmallVector<mlir::Value> placesToRead(KernelBuilder &b,
                                            llvm::ArrayRef<mlir::Value> areOn,
                                            mlir::ValueRange places);

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

//===- Chunk.h - consecutive elements of a thread ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::loop {

/// The values of some elements of one operand that lie side by side in the
/// innermost dimension.
using Chunk = llvm::SmallVector<mlir::Value>;

/// How a thread reads and writes chunks of `size` elements.
struct ChunkAccess {
  KernelBuilder &b;
  unsigned size;

  /// Bytes of a chunk.
  unsigned bytes(mlir::Type element) const {
    return size * storedSize(element);
  }
  /// A vector of what the elements are in memory, complex numbers by parts:
  /// what a chunk is from where it is loaded to where it is used. Narrow
  /// elements share registers in it.
  mlir::VectorType type(mlir::Type element) const;
  mlir::Value pack(mlir::Type element, const Chunk &chunk) const;
  Chunk unpack(mlir::Type element, mlir::Value vector) const;
  /// One access; `address` must be a multiple of `bytes(element)`.
  mlir::Value load(mlir::Type element, mlir::Value address) const;
  void store(const Chunk &chunk, mlir::Value address) const;
  /// One access for each element, `stride` bytes (i64) apart.
  Chunk loadEach(mlir::Type element, mlir::Value address,
                 mlir::Value stride) const;
  void storeEach(const Chunk &chunk, mlir::Value address,
                 mlir::Value stride) const;
  /// One element in every place.
  Chunk splat(mlir::Value value) const { return Chunk(size, value); }
};

} // namespace kern::loop

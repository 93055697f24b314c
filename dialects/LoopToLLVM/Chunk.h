//===- Chunk.h - consecutive elements of a thread ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// The values of consecutive elements of one operand along the innermost
/// dimension.
using Chunk = llvm::SmallVector<mlir::Value>;

/// Of a loop.local in shared memory for each thread: threads access it in
/// chunks.
inline constexpr llvm::StringLiteral chunkedAttribute = "loop.chunked";
/// The bytes of such an access to an array of `bytes`: up to 16.
inline uint64_t chunkedAccess(uint64_t bytes) {
  constexpr uint64_t widest = 16;
  return std::min(bytes & -bytes, widest);
}
/// The bytes from one thread's array to the next one's: an odd number of
/// accesses, for banks.
inline uint64_t chunkedPitch(uint64_t bytes) {
  uint64_t access = chunkedAccess(bytes);
  return (bytes / access | 1) * access;
}

/// How a thread reads and writes chunks of `size` elements.
struct ChunkAccess {
  KernelBuilder &b;
  unsigned size;

  /// The size of a chunk in bytes.
  unsigned bytes(mlir::Type element) const {
    return size * storedSize(element);
  }
  /// A vector of the elements as stored in memory, with complex numbers as
  /// their parts. A chunk has this type between its load and its use, so that
  /// narrow elements share registers.
  mlir::VectorType type(mlir::Type element) const;
  mlir::Value pack(mlir::Type element, const Chunk &chunk) const;
  Chunk unpack(mlir::Type element, mlir::Value vector) const;
  /// One wide access; `address` must be a multiple of `bytes(element)`.
  mlir::Value load(mlir::Type element, mlir::Value address) const;
  void store(const Chunk &chunk, mlir::Value address) const;
  /// One access for each element, `stride` bytes (i64) apart.
  Chunk loadEach(mlir::Type element, mlir::Value address,
                 mlir::Value stride) const;
  void storeEach(const Chunk &chunk, mlir::Value address,
                 mlir::Value stride) const;
  /// A chunk of equal elements.
  Chunk splat(mlir::Value value) const { return Chunk(size, value); }
};

} // namespace kern::ir::loop

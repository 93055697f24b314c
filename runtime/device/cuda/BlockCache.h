//===- BlockCache.h - small blocks kept for a stream ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small blocks of device memory that were freed in the order of a stream and
// serve the next allocation on it, which then costs no call of the driver: what
// was enqueued before comes first. Streams are known by their identifiers,
// which are never given out again. Safe for several threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda.h>

#include <array>
#include <map>
#include <mutex>
#include <vector>

namespace kern::cuda {

struct Block {
  CUdeviceptr pointer = 0;
  bool isPooled = false; ///< may be freed in the order of a stream
};

class BlockCache {
public:
  /// Larger blocks are not kept: their kernels take far longer than the driver.
  static constexpr size_t largest = size_t(1) << 20;
  /// The most bytes that are kept in all, whatever streams come and go.
  static constexpr size_t mostBytes = size_t(64) << 20;

  /// The size of the blocks that serve `bytes`, at most `largest`.
  static size_t blockSize(size_t bytes);
  /// A block of exactly `size`, as blockSize() gave it; 0 if there is none.
  Block take(unsigned long long stream, size_t size);
  /// Keeps a block; false if there are enough.
  bool give(unsigned long long stream, size_t size, Block block);
  /// All blocks, which the caller frees once no stream uses them any more.
  std::vector<Block> drain();

private:
  static constexpr size_t smallest = 512, classes = 12, mostOfOne = 64;
  using Lists = std::array<std::vector<Block>, classes>;

  std::mutex mutex;
  std::map<unsigned long long, Lists> streams;
  size_t bytes = 0;
};

} // namespace kern::cuda

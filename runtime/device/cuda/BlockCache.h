//===- BlockCache.h - small blocks kept for a stream ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache of small blocks of device memory. A block that was freed in stream
// order serves the next allocation on the same stream without a driver call;
// the stream orders its uses. Streams are known by their identifiers, which are
// never reused. Thread-safe.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda.h>

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace kern::runtime::cuda {

struct Region;

struct Block {
  CUdeviceptr pointer = 0;
  bool isPooled = false; ///< may be freed in the order of a stream
  Region *region = nullptr;
};

class BlockCache {
public:
  /// Larger blocks are not kept: their kernels take far longer than an
  /// allocation.
  static constexpr size_t largest = size_t(1) << 20;
  /// The limit for all streams together.
  static constexpr size_t maxBytes = size_t(64) << 20;

  /// The size of the blocks that serve `bytes`, at most `largest`.
  static size_t blockSize(size_t bytes);
  /// A block of exactly `size`, as blockSize() gave it; 0 if there is none.
  Block take(unsigned long long stream, size_t size);
  /// Keeps a block; false if the cache is full.
  bool give(unsigned long long stream, size_t size, Block block);
  /// The blocks of one stream, those that are held for it too.
  std::vector<Block> takeAll(unsigned long long stream);
  /// Keeps memory of any size that is to be freed in the order of a stream of
  /// which nobody knows whether it is still there.
  void park(unsigned long long stream, Block block);
  /// What was parked for a stream; for all of them without one.
  std::vector<Block> takeParked(std::optional<unsigned long long> stream);
  /// The same for memory that cannot be freed as long as a stream is captured,
  /// on which it has been used before.
  void hold(unsigned long long stream, Block block);
  std::vector<Block> takeHeld(unsigned long long stream);
  /// Whether anything is parked or held.
  bool isAnyParked() const { return parkedCount.load() != 0; }
  /// All blocks, parked and held ones too, which the caller frees once no
  /// stream uses them any more.
  std::vector<Block> drain();
  /// The bytes of all blocks but those that are parked or held.
  size_t size() const;

private:
  static constexpr size_t smallest = 512, classes = 12, maxOfOne = 64;
  using Lists = std::array<std::vector<Block>, classes>;

  mutable std::mutex mutex;
  std::map<unsigned long long, Lists> streams;
  std::map<unsigned long long, std::vector<Block>> parked, held;
  std::atomic<size_t> parkedCount = 0;
  size_t bytes = 0;
};

} // namespace kern::runtime::cuda

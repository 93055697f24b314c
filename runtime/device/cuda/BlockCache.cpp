//===- BlockCache.cpp - small blocks kept for a stream --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/BlockCache.h"

#include <algorithm>
#include <bit>
#include <utility>

using namespace kern::runtime::cuda;

size_t BlockCache::blockSize(size_t bytes) {
  return std::bit_ceil(std::max(bytes, smallest));
}

/// The index of a size among the powers of two, counted from the smallest.
static size_t classOf(size_t size, size_t smallest) {
  return size_t(std::countr_zero(size) - std::countr_zero(smallest));
}

Block BlockCache::take(unsigned long long stream, size_t size) {
  std::lock_guard lock(mutex);
  auto at = streams.find(stream);
  if (at == streams.end())
    return {};
  std::vector<Block> &list = at->second[classOf(size, smallest)];
  if (list.empty())
    return {};
  Block block = list.back();
  list.pop_back();
  bytes -= size;
  return block;
}

bool BlockCache::give(unsigned long long stream, size_t size, Block block) {
  std::lock_guard lock(mutex);
  if (bytes + size > maxBytes)
    return false;
  std::vector<Block> &list = streams[stream][classOf(size, smallest)];
  if (list.size() == maxOfOne)
    return false;
  list.push_back(block);
  bytes += size;
  return true;
}

std::vector<Block> BlockCache::drain() {
  std::lock_guard lock(mutex);
  std::vector<Block> all;
  for (auto &[stream, lists] : std::exchange(streams, {}))
    for (std::vector<Block> &list : lists)
      all.insert(all.end(), list.begin(), list.end());
  bytes = 0;
  return all;
}

//===- BlockCache.cpp - small blocks kept for a stream --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/BlockCache.h"

#include <algorithm>
#include <bit>

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

static void append(std::vector<Block> &all, const std::vector<Block> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<Block> BlockCache::takeAll(unsigned long long stream) {
  std::lock_guard lock(mutex);
  std::vector<Block> all;
  auto at = streams.find(stream);
  if (at == streams.end())
    return all;
  size_t count = 0;
  for (const std::vector<Block> &list : at->second)
    count += list.size();
  all.reserve(count); // from here on nothing fails
  for (size_t k = 0; k < classes; ++k) {
    append(all, at->second[k]);
    bytes -= at->second[k].size() * (smallest << k);
  }
  streams.erase(at);
  return all;
}

void BlockCache::park(unsigned long long stream, Block block) {
  std::lock_guard lock(mutex);
  parked[stream].push_back(block);
  ++parkedCount;
}

std::vector<Block>
BlockCache::takeParked(std::optional<unsigned long long> stream) {
  std::lock_guard lock(mutex);
  std::vector<Block> all;
  all.reserve(parkedCount); // from here on nothing fails
  for (auto at = parked.begin(); at != parked.end();) {
    const bool isMeant = !stream || at->first == *stream;
    if (isMeant)
      append(all, at->second);
    at = isMeant ? parked.erase(at) : std::next(at);
  }
  parkedCount -= all.size();
  return all;
}

std::vector<Block> BlockCache::drain() {
  std::lock_guard lock(mutex);
  size_t count = parkedCount;
  for (const auto &[stream, lists] : streams)
    for (const std::vector<Block> &list : lists)
      count += list.size();
  std::vector<Block> all;
  all.reserve(count); // from here on nothing fails
  for (const auto &[stream, blocks] : parked)
    append(all, blocks);
  for (const auto &[stream, lists] : streams)
    for (const std::vector<Block> &list : lists)
      append(all, list);
  parked.clear();
  parkedCount = 0;
  streams.clear();
  bytes = 0;
  return all;
}

size_t BlockCache::size() const {
  std::lock_guard lock(mutex);
  return bytes;
}

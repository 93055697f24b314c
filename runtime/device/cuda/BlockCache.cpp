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
  auto of = held.find(stream);
  size_t count = of == held.end() ? 0 : of->second.size();
  if (at != streams.end())
    for (const std::vector<Block> &list : at->second)
      count += list.size();
  all.reserve(count); // from here on nothing fails
  if (of != held.end()) {
    append(all, of->second);
    parkedCount -= of->second.size();
    held.erase(of);
  }
  if (at == streams.end())
    return all;
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
  all.reserve(parkedCount); // more than enough; from here on nothing fails
  for (auto at = parked.begin(); at != parked.end();) {
    const bool isMeant = !stream || at->first == *stream;
    if (isMeant)
      append(all, at->second);
    at = isMeant ? parked.erase(at) : std::next(at);
  }
  parkedCount -= all.size();
  return all;
}

void BlockCache::hold(unsigned long long stream, Block block) {
  std::lock_guard lock(mutex);
  held[stream].push_back(block);
  ++parkedCount;
}

std::vector<Block> BlockCache::takeHeld(unsigned long long stream) {
  std::lock_guard lock(mutex);
  std::vector<Block> all;
  if (auto at = held.find(stream); at != held.end()) {
    all = std::move(at->second);
    held.erase(at);
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
  for (const auto &lists : {&parked, &held})
    for (const auto &[stream, blocks] : *lists)
      append(all, blocks);
  for (const auto &[stream, lists] : streams)
    for (const std::vector<Block> &list : lists)
      append(all, list);
  parked.clear();
  held.clear();
  parkedCount = 0;
  streams.clear();
  bytes = 0;
  return all;
}

size_t BlockCache::size() const {
  std::lock_guard lock(mutex);
  return bytes;
}

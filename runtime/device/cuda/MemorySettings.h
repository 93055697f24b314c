//===- MemorySettings.h - limit and allocator of a memory -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/memory.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

namespace kern::runtime::cuda {

/// Addresses that an allocator gives are multiples of it.
inline constexpr size_t allocatorAlignment = 64;

/// What the caller asks of a GPU's memory, or of page-locked memory.
/// Thread-safe.
class MemorySettings {
public:
  using Allocator = std::shared_ptr<const kern_memory_allocator>;

  uint64_t limit() const { return most.load(std::memory_order_relaxed); }
  void setLimit(uint64_t bytes) { most = bytes; }
  bool isBeyond(uint64_t bytes) const { return limit() && bytes > limit(); }

  /// NULL: none.
  Allocator allocator() const {
    if (!hasAllocator.load(std::memory_order_acquire))
      return nullptr;
    std::lock_guard lock(mutex);
    return current;
  }
  void setAllocator(Allocator next) {
    std::lock_guard lock(mutex);
    hasAllocator = next != nullptr;
    current = std::move(next);
  }

private:
  std::atomic<uint64_t> most = 0;
  std::atomic<bool> hasAllocator = false;
  mutable std::mutex mutex;
  Allocator current;
};

/// Bytes of a memory, as kern_memory_info has them.
struct MemoryTotals {
  uint64_t inUse = 0, cached = 0, peak = 0;
};

} // namespace kern::runtime::cuda

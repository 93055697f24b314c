//===- PinnedPool.h - page-locked host memory -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"
#include "runtime/device/cuda/MemorySettings.h"

#include <map>
#include <mutex>

namespace kern::runtime::cuda {

/// The page-locked memory that was made for one GPU; all of them know it.
/// Locking pages takes the driver a millisecond for a few MiB, so that the
/// memory of arrays is kept for later ones of their size. Thread-safe.
class PinnedPool {
public:
  /// More is not kept.
  static constexpr size_t maxCached = size_t(256) << 20;

  explicit PinnedPool(const Context &context) : context(context) {}

  /// Memory for an array. KERN_ERROR_MEMORY if there is not enough, or beyond
  /// the limit. `owner` is the pool's context.
  Expected<Buffer> allocate(const std::shared_ptr<Context> &owner,
                            size_t bytes);
  /// New memory, which give() frees if it is not `isKept`. The context must be
  /// current.
  Expected<void *> take(size_t bytes);
  void give(void *memory, size_t bytes, bool isKept) noexcept;
  /// Frees what is kept.
  void trim();
  MemoryTotals totals() const;
  void resetPeak();
  MemorySettings settings;

private:
  Expected<void *> lockPages(size_t bytes);
  Error outOfMemory(size_t bytes) const;
  void free(void *memory) noexcept;

  const Context &context;
  mutable std::mutex mutex;
  std::multimap<size_t, void *> kept; ///< by size
  MemoryTotals sum;
};

/// Page-locked host memory that is not kept, of a context that outlives it and
/// is current where it is made. KERN_ERROR_MEMORY if there is not enough.
class PinnedMemory {
public:
  static Expected<PinnedMemory> allocate(const Context &context, size_t bytes);
  PinnedMemory() = default;
  PinnedMemory(PinnedMemory &&other) noexcept;
  PinnedMemory &operator=(PinnedMemory &&other) noexcept;
  ~PinnedMemory();
  std::byte *data() const { return static_cast<std::byte *>(pointer); }

private:
  PinnedPool *pool = nullptr;
  void *pointer = nullptr;
  size_t size = 0;
};

/// Whether the device can read and write host memory where it is, from its
/// first to its last byte: it is page-locked, and the driver knows. The context
/// must be current.
bool isPinned(const Context &context, uintptr_t first, uintptr_t last);

} // namespace kern::runtime::cuda

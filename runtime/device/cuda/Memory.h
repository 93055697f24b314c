//===- Memory.h - device and pinned memory ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

namespace kern::runtime::cuda {

/// Uninitialised device memory. Its last owner waits for all work on the device
/// before it frees the memory, so that every use on any stream completes.
/// KERN_ERROR_MEMORY if there is not enough.
Expected<Buffer> allocate(const std::shared_ptr<Context> &context,
                          size_t bytes);

/// The same from the context's pool, allocated and freed in the order of
/// `stream`, which must outlive it, without waiting. Small blocks are kept for
/// the stream's next allocation (BlockCache.h). On devices without pools this
/// is allocate().
Expected<Buffer> allocateOrdered(const std::shared_ptr<Context> &context,
                                 size_t bytes, CUstream stream);

/// Whether the device can read and write host memory where it is, from its
/// first to its last byte: it is page-locked, and the driver knows. The context
/// must be current.
bool isPinned(const Context &context, uintptr_t first, uintptr_t last);

/// Page-locked host memory, which all contexts know, made by one that outlives
/// it and is current. KERN_ERROR_MEMORY if there is not enough.
class PinnedMemory {
public:
  static Expected<PinnedMemory> allocate(const Context &context, size_t bytes);
  PinnedMemory() = default;
  PinnedMemory(PinnedMemory &&other) noexcept;
  PinnedMemory &operator=(PinnedMemory &&other) noexcept;
  ~PinnedMemory();
  std::byte *data() const { return static_cast<std::byte *>(pointer); }

private:
  const Driver *driver = nullptr;
  void *pointer = nullptr;
};

} // namespace kern::runtime::cuda

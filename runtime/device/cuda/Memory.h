//===- Memory.h - device and pinned memory ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"
#include "runtime/device/cuda/PinnedPool.h"

namespace kern::runtime::cuda {

/// Uninitialised device memory. Its last owner waits for all work on the device
/// before it frees the memory, so that every use on any stream completes.
/// KERN_ERROR_MEMORY if there is not enough. From the caller's allocator, if
/// one is set (MemorySettings.h).
Expected<Buffer> allocate(const std::shared_ptr<Context> &context,
                          size_t bytes);

/// The same from the context's pool, without waiting: allocated in the order of
/// `stream`, and freed after its last use, also if the stream has ended. Small
/// blocks are kept for the stream's next allocation (BlockCache.h). On devices
/// without pools this is allocate().
Expected<Buffer> allocateOrdered(const std::shared_ptr<Context> &context,
                                 size_t bytes, CUstream stream);

/// allocate() from the driver, whatever allocator the caller has set.
Expected<Buffer> allocateOwn(const std::shared_ptr<Context> &context,
                             size_t bytes);

/// What Kern has of the device's memory. KERN_ERROR_DEVICE if the driver does
/// not tell of the pool. The context must be current.
Expected<MemoryTotals> memoryTotals(const Context &context);

} // namespace kern::runtime::cuda

//===- DeviceFree.h - memory that is given back -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/memory.h"
#include "runtime/device/cuda/Context.h"

namespace kern::runtime::cuda {

/// The stream of an allocation, in whose order it is given back.
struct HomeStream {
  CUstream stream = nullptr;
  unsigned long long id = 0;
  bool isRecorded = false; ///< it was captured: the memory is the graph's
};

/// Gives memory back once its last use on any stream is over, without waiting
/// for it if it is a pool's. `blockSize` is its size as a block, 0 if it is
/// none. The home stream need not be there any more. What the driver reports
/// comes from earlier work; the next call reports it too.
void giveBack(Context &context, Block block, size_t blockSize,
              HomeStream home) noexcept;

/// Gives memory back to the allocator that it came from, once its uses on other
/// streams are over. Memory that is not in the order of its home stream waits
/// for the device.
void giveBackTo(const kern_memory_allocator &allocator, Context &context,
                Region &region, std::byte *memory, HomeStream home,
                bool isOrdered) noexcept;

/// Frees what is parked for a stream, which is there.
void freeParked(Context &context, HomeStream home);

/// A stream that was added ends: marks its end, and frees what is kept for it.
void retireStream(Context &context, const StreamTable::Stream &stream) noexcept;

} // namespace kern::runtime::cuda

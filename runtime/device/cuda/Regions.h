//===- Regions.h - the device memory that Kern has --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/StreamUses.h"

#include <cuda.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace kern::runtime::cuda {

/// Memory that Kern took from the driver, a pool or an allocator, until it
/// gives it back.
struct Region {
  Region(size_t bytes, uint64_t serial) : bytes(bytes), serial(serial) {}
  const size_t bytes;
  /// Another one for each array that has the memory, never used again.
  std::atomic<uint64_t> serial;
  StreamUses uses; ///< since calls come on several streams
};

/// The regions of one device, found by any address in them. Thread-safe.
class Regions {
public:
  /// A new region, which stays where it is until it is removed.
  Region &add(CUdeviceptr begin, size_t bytes);
  void remove(CUdeviceptr begin);
  /// The array that had the memory has ended.
  void renew(Region &region) { region.serial = ++serials; }
  /// The region at an address; NULL for memory that is not Kern's. It is valid
  /// as long as its memory.
  Region *find(CUdeviceptr address);
  /// `stream` has written all of them.
  void setWriter(const StreamUses::Stream &stream);

  struct Totals {
    size_t bytes = 0; ///< of all regions
    size_t peak = 0;  ///< the most since resetPeak()
    size_t count = 0;
  };
  Totals totals() const;
  void resetPeak();

private:
  mutable std::mutex mutex;
  std::map<CUdeviceptr, Region> regions;
  std::atomic<uint64_t> serials = 0;
  Totals sum;
};

} // namespace kern::runtime::cuda

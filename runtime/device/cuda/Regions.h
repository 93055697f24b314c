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
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace kern::runtime::cuda {

/// Memory that Kern took from the driver, a pool or an allocator, until it
/// gives it back.
struct Region {
  size_t bytes = 0;
  /// Another one for each array that has the memory, never used again; 0 while
  /// there is no memory. It may be read as long as the Regions live.
  std::atomic<uint64_t> serial = 0;
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
  /// Unique among all Regions of the process.
  uint64_t identity() const { return id; }
  /// Changes with each region that is added.
  uint64_t version() const { return added.load(std::memory_order_acquire); }
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
  static uint64_t nextIdentity();

  const uint64_t id = nextIdentity();
  mutable std::mutex mutex;
  std::map<CUdeviceptr, Region *> regions;
  std::deque<Region> storage;  ///< all that ever were at once
  std::vector<Region *> spare; ///< of these; it has room for all
  std::atomic<uint64_t> serials = 0, added = 1;
  Totals sum;
};

} // namespace kern::runtime::cuda

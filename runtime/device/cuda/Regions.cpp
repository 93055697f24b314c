//===- Regions.cpp - the device memory that Kern has ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Regions.h"

#include <algorithm>

using namespace kern::runtime::cuda;

uint64_t Regions::nextIdentity() {
  static std::atomic<uint64_t> identities = 0;
  return ++identities;
}

Region &Regions::add(CUdeviceptr begin, size_t bytes) {
  std::lock_guard lock(mutex);
  if (spare.empty()) {
    spare.reserve(storage.size() + 1);
    spare.push_back(&storage.emplace_back());
  }
  Region &region = *regions.emplace(begin, spare.back()).first->second;
  spare.pop_back(); // from here on nothing fails
  region.bytes = bytes;
  region.serial = ++serials;
  ++added;
  sum.bytes += bytes;
  sum.peak = std::max(sum.peak, sum.bytes);
  ++sum.count;
  return region;
}

void Regions::remove(CUdeviceptr begin) {
  std::lock_guard lock(mutex);
  auto at = regions.find(begin);
  Region &region = *at->second;
  region.serial = 0;
  region.uses.clear();
  sum.bytes -= region.bytes;
  --sum.count;
  spare.push_back(&region);
  regions.erase(at);
}

Region *Regions::find(CUdeviceptr address) {
  std::lock_guard lock(mutex);
  auto after = regions.upper_bound(address);
  if (after == regions.begin())
    return nullptr;
  auto &[begin, region] = *std::prev(after);
  return address - begin < region->bytes ? region : nullptr;
}

void Regions::setWriter(const StreamUses::Stream &stream) {
  std::lock_guard lock(mutex);
  for (auto &[begin, region] : regions)
    region->uses.setWriter(stream);
}

Regions::Totals Regions::totals() const {
  std::lock_guard lock(mutex);
  return sum;
}

void Regions::resetPeak() {
  std::lock_guard lock(mutex);
  sum.peak = sum.bytes;
}

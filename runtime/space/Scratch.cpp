//===- Scratch.cpp - memory for a kernel's local arrays -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/Scratch.h"
#include "runtime/artefact/Dimension.h"

using namespace kern::runtime;

int64_t ScratchSize::perElement(unsigned group, int64_t slices) const {
  constexpr int64_t unit = 16;
  if (isPerSlice)
    return roundUp(bytes * (slices + 1), unit);
  return isPerLane ? bytes * int64_t(group) * slices : bytes;
}

Expected<std::vector<ScratchSize>>
kern::runtime::scratchSizes(const Launch &launch, const KernelInfo &kernel) {
  std::vector<ScratchSize> sizes;
  int64_t sum = 0;
  for (const ScratchInfo &scratch : kernel.scratch) {
    Expected<int64_t> bytes =
        evaluate(scratch.bytes, dimensionLookup(*launch.function, launch.dims));
    if (!bytes)
      return bytes.error();
    if (__builtin_add_overflow(sum, *bytes, &sum) || sum > maxScratch)
      return Error(ErrorCode::local_arrays_too_large).in(launch.function->name);
    sizes.push_back(
        {*bytes, scratch.isPerLane, scratch.isPerSlice, scratch.isCleared});
  }
  return sizes;
}

int64_t kern::runtime::bytesPerElement(std::span<const ScratchSize> sizes,
                                       unsigned group, int64_t slices) {
  int64_t bytes = 0;
  for (const ScratchSize &size : sizes)
    bytes += size.perElement(group, slices);
  return bytes;
}

ScratchLayout kern::runtime::layOut(std::span<const ScratchSize> sizes,
                                    const KernelInfo &kernel,
                                    const Geometry &geometry) {
  // In a staged kernel all threads have slots.
  int64_t items = kernel.mapping.staged ? geometry.blocks * geometry.blockX
                                        : geometry.items;
  ScratchLayout out;
  out.slots.resize(sizes.size());
  // In the words of a cooperative kernel's slices nothing is marked at first.
  auto isCleared = [&](const ScratchSize &size) {
    return size.isCleared ||
           (size.isPerSlice && kernel.mapping.isCooperative());
  };
  for (bool areCleared : {false, true}) {
    if (areCleared)
      out.clearedFrom = out.bytes;
    for (size_t k = 0; k < sizes.size(); ++k) {
      const ScratchSize &size = sizes[k];
      if (isCleared(size) != areCleared)
        continue;
      int64_t bytes = size.perElement(geometry.group, geometry.slices);
      out.slots[k] = {int64_t(out.bytes), size.isPerSlice ? bytes : size.bytes};
      out.bytes += size_t(bytes * items);
    }
  }
  return out;
}

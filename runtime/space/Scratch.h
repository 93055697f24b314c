//===- Scratch.h - memory for a kernel's local arrays -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Geometry.h"
#include "runtime/space/Space.h"

#include <span>
#include <vector>

namespace kern::runtime {

/// The bytes of one slot (docs/explanation/kernel-abi.md), for the dimensions
/// of a call.
struct ScratchSize {
  int64_t bytes = 0;
  bool isPerLane = false;
  bool isPerSlice = false;
  bool isCleared = false;
  /// The bytes for one loop element that `group` lanes share, in so many
  /// slices.
  int64_t perElement(unsigned group, int64_t slices) const;
};

/// The largest scratch memory of one loop element.
inline constexpr int64_t maxScratch = int64_t(1) << 40;
/// One launch takes as many loop elements as fit into this many bytes.
inline constexpr int64_t scratchArena = int64_t(256) << 20;

/// The bytes of each slot of the kernel, in order. KERN_ERROR_MEMORY above
/// maxScratch.
Expected<std::vector<ScratchSize>> scratchSizes(const Launch &launch,
                                                const KernelInfo &kernel);

/// The memory of one launch's slots.
struct ScratchLayout {
  struct Slot {
    int64_t offset;
    int64_t bytes; ///< the kernel's word: of one item, or of one lane
  };
  size_t bytes = 0;
  size_t clearedFrom = 0; ///< from this offset on, the memory is initially 0
  std::vector<Slot> slots;
};
ScratchLayout layOut(std::span<const ScratchSize> sizes,
                     const KernelInfo &kernel, const Geometry &geometry);

/// The bytes of all slots of one loop element.
int64_t bytesPerElement(std::span<const ScratchSize> sizes, unsigned group,
                        int64_t slices);

} // namespace kern::runtime

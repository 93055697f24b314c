//===- StridedWorker.h - runs of a kernel that takes strides ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/code/CodeSource.h"
#include "runtime/plan/HostTiling.h"
#include "runtime/space/CheckRecord.h"
#include "runtime/space/CoreTransfer.h"
#include "runtime/space/TileTransfer.h"

#include <memory>

namespace kern::runtime {

/// How a kernel that takes strides walks the tiles of a layout: one call for
/// each row. Immutable and shared by all workers.
struct StridedPlan {
  /// A row of an operand that is converted, overwritten, or written behind a
  /// mask.
  struct Buffer {
    size_t operand = 0;
    bool isOutput = false;
    TileTransfer transfer;
    size_t values = 0, stored = 0; ///< in a worker's memory
  };

  /// A gufunc's operand whose loop elements are packed, those of a row at once.
  struct PackedCore {
    size_t operand = 0;
    bool isRead, isWritten;
    CoreTransfer transfer;
    size_t at = 0; ///< in a worker's memory
  };

  StridedPlan(const Layout &layout, const HostTiling &tiling,
              const KernelWords &words, std::span<const KernelOperand> operands,
              size_t dims);
  /// The size of a worker's memory for `words` words.
  size_t bytes(size_t words) const { return end + words * sizeof(int64_t); }

  const Layout &layout; ///< these two must outlive the plan
  const KernelWords &words;
  int64_t columns; ///< of a tile
  size_t operands; ///< without the mask
  size_t partAt;   ///< of the words: the number of the part
  bool isMasked;   ///< by the operand after them
  std::vector<Buffer> buffers;
  std::vector<PackedCore> cores;
  size_t end = 0; ///< of the buffers; the words begin here
};

/// One thread's part of a call.
class StridedWorker {
public:
  /// `places` as HostLoop::run() has them; `memory` has the plan's bytes,
  /// aligned to a cache line.
  StridedWorker(HostEntry entry, const StridedPlan &plan,
                std::span<std::byte *const> places, std::byte *memory);

  /// Allocates memory for the kernel's slots and sets the record of its checks.
  Status allocate(std::span<const size_t> scratch, CheckRecord *record);
  void run(const TilePlace &tile);
  /// Sets the part that the next run is, of a kernel that goes in parts.
  void setPart(int64_t part, int64_t parts);

private:
  PackedOperand array(size_t k, size_t itemSize) const {
    return {places[k], &plan.layout.strides[k], &plan.layout.extents, itemSize};
  }
  TileBuffers buffersOf(const StridedPlan::Buffer &buffer) const {
    return {memory + buffer.values, memory + buffer.stored, plan.columns};
  }

  HostEntry entry;
  const StridedPlan &plan;
  std::span<std::byte *const> places;
  std::byte *memory;
  int64_t *words;
  PackedOperand mask;
  std::vector<Buffer> slots;
};

} // namespace kern::runtime

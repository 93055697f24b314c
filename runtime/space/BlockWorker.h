//===- BlockWorker.h - runs of contiguous blocks ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/code/CodeSource.h"
#include "runtime/plan/HostTiling.h"
#include "runtime/space/TileTransfer.h"

#include <optional>

namespace kern::runtime {

/// How a kernel of contiguous blocks reaches one operand.
struct BlockOperand {
  HostWalk walk = HostWalk::Direct;
  bool isOutput = false, isScalar = false;
  int64_t itemSize = 1;
  size_t pointerAt = 0;  ///< among the words; its step follows it
  int64_t stackStep = 0; ///< bytes between rows, of stacked runs
  size_t buffer = 0;     ///< of the packed tile or the splat, in the memory
  size_t tail = 0;       ///< of one block
  TileTransfer transfer; ///< of a packed or uniform array
  size_t stored = 0;     ///< the second buffer of a transfer that stops
};

/// How a kernel of contiguous blocks walks the tiles of a layout: everything
/// except the code and the addresses. Immutable and shared by all workers.
struct BlockPlan {
  BlockPlan(const KernelInfo &kernel, const Layout &layout,
            const HostTiling &tiling, std::span<const KernelOperand> operands);

  const Layout &layout; ///< these two must outlive the plan
  const HostTiling &tiling;
  bool isStreamed; ///< the kernel's form
  int64_t blockElements;
  int64_t pitchElements; ///< between the rows of a buffer
  KernelWords words;
  std::vector<BlockOperand> operands; ///< without the mask
  bool isMasked = false;              ///< by the operand after them
  size_t states = 0; ///< where a worker keeps the states of its operands
  size_t bytes = 0;  ///< of a worker's memory
};

/// One thread's part of a call, with its own buffers. Every element goes
/// through the same code: the elements after the last whole block are padded to
/// a block.
class BlockWorker {
public:
  /// `places`: for each operand, and the mask, the address of the first element
  /// visited, or of its value. `memory` has the plan's bytes, aligned to a
  /// cache line.
  BlockWorker(HostEntry entry, const BlockPlan &plan,
              std::span<std::byte *const> places, std::byte *memory);

  void run(const TilePlace &tile);

private:
  struct State {
    std::byte *data;  ///< the first element visited
    std::byte *start; ///< of the current run
    /// What the buffer was filled from; a range's numbers may be anything.
    std::optional<const std::byte *> source;
  };

  PackedOperand array(size_t k) const;
  TileBuffers buffersOf(const BlockOperand &operand) const;
  /// Fills a block with an operand's single element.
  void spread(const BlockOperand &operand, const std::byte *element);
  std::byte *address(size_t k, const TilePlace &tile, int64_t row) const;
  void fill(size_t k, const TilePlace &tile);
  void startRow(const TilePlace &tile, int64_t row);
  /// A run for each column of blocks, then the remaining elements row by row.
  void runStack(const TilePlace &tile);
  void runRow(const TilePlace &tile, int64_t row, int64_t count);
  void runTail(int64_t first, int64_t count);
  /// Elements of the current run before its results begin at a cache line.
  int64_t lead() const;

  HostEntry entry;
  const BlockPlan &plan;
  std::byte *memory;
  int64_t *words;
  State *states; ///< by operand
  PackedOperand mask;
};

} // namespace kern::runtime

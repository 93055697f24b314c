//===- BlockWorker.h - runs of contiguous blocks ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/CodeSource.h"
#include "runtime/launch/Packing.h"
#include "runtime/plan/HostTiling.h"

namespace kern {

/// One thread's part of a call of a kernel of contiguous blocks: buffers of its
/// own, and tiles one by one. Every element goes through the same code,
/// whatever its place: what is left over after the last whole block is padded
/// to one.
class BlockWorker {
public:
  /// All but `entry` must outlive the worker.
  BlockWorker(HostEntry entry, int64_t blockElements, const Layout &layout,
              const HostTiling &tiling,
              std::span<const KernelOperand> operands);

  void run(const TilePlace &tile);

private:
  struct Part {
    HostWalk walk;
    PackedOperand array;
    std::byte *buffer = nullptr;       ///< the packed tile, or the splat
    std::byte *tail = nullptr;         ///< one block
    const std::byte *source = nullptr; ///< what `buffer` was filled from
    bool isOutput = false;
  };

  std::byte *address(const Part &part, const TilePlace &tile, int64_t row);
  void fill(Part &part, const TilePlace &tile);
  void runRow(const TilePlace &tile, int64_t row, int64_t count);
  void runTail(int64_t first, int64_t count);

  HostEntry entry;
  int64_t blockElements;
  const Layout &layout;
  const HostTiling &tiling;
  int64_t pitchElements; ///< between the rows of a buffer
  std::vector<Part> parts;
  std::vector<std::byte *> starts; ///< of the current row, for each operand
  KernelWords words;
  std::vector<std::byte> memory; ///< of all buffers
};

} // namespace kern

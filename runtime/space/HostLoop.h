//===- HostLoop.h - loops around a host kernel ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/space/BlockWorker.h"
#include "runtime/space/ShortRun.h"
#include "runtime/space/StridedWorker.h"

#include <optional>

namespace kern::runtime {

/// A loop of a host kernel over a layout, in tiles that fit the caches, on as
/// many threads as are worth it (HostThreads.h). It has everything except the
/// code, the addresses and the values of numbers. Immutable. Running it
/// allocates only memory that the thread keeps.
class HostLoop {
public:
  /// `layout` is not empty; `operands` have their loop strides innermost first,
  /// and their addresses and values do not matter. `workPerElement` is about
  /// how many elements one loop element touches (1 for a ufunc). With an
  /// `order`, the innermost dimension of `layout` is the fastest.
  HostLoop(const KernelInfo &kernel, const Layout &layout,
           std::span<const int64_t> dims,
           std::span<const KernelOperand> operands, int64_t workPerElement,
           TileOrder order = TileOrder::Any);
  HostLoop(const HostLoop &) = delete;
  HostLoop &operator=(const HostLoop &) = delete;

  /// Runs `entry`, code of the kernel. `places` has for each operand, and for a
  /// mask, the address of the first element visited or of a scalar's value.
  /// Returns the number of threads.
  ///
  /// `scratch` has the bytes of each slot of the kernel, which a thread uses
  /// for one loop element after the other. KERN_ERROR_MEMORY if there is no
  /// memory for them or for buffers; some results may be written then. `record`
  /// is for a kernel with checks; after a failed check the rest of the loop is
  /// skipped.
  Expected<unsigned> run(HostEntry entry, std::span<std::byte *const> places,
                         std::span<const size_t> scratch = {},
                         CheckRecord *record = nullptr) const;

  /// How it walks the layout.
  const HostTiling &walk() const { return tiling; }

private:
  /// The longest row of words of a loop that is one call of its kernel.
  static constexpr size_t maxWords = 512;
  struct Call;

  void runOnce(HostEntry entry, std::span<std::byte *const> places) const;

  Layout layout;
  TileOrder order;
  HostTiling tiling;
  KernelWords words;
  /// One call of the kernel suffices: one dimension, too little work for
  /// threads or tiles, and nothing to pack, splat or pad.
  bool isOneRun = false;
  std::optional<ShortRun> shortRun; ///< where one call does not, but two do
  unsigned threads = 1;             ///< at most
  unsigned parts = 1;               ///< of each loop element
  std::optional<BlockPlan> blocks;  ///< for a kernel of contiguous blocks
  std::optional<StridedPlan> rows;  ///< for any other
};

} // namespace kern::runtime

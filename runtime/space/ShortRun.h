//===- ShortRun.h - few contiguous elements ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/code/CodeSource.h"
#include "runtime/plan/Layout.h"
#include "runtime/plan/Words.h"

#include <optional>
#include <span>
#include <vector>

namespace kern::runtime {

/// Runs a loop of one dimension on one thread, with a kernel of contiguous
/// blocks over arrays that it can use in place: one call for whole blocks, and
/// one for the rest, padded to a block. It does what BlockWorker does without
/// tiles, since a call on few elements spends most of its time around the
/// kernel. Immutable.
class ShortRun {
public:
  /// Nothing for a loop that needs more.
  static std::optional<ShortRun> of(const KernelInfo &kernel,
                                    const Layout &layout,
                                    std::span<const KernelOperand> operands);

  /// As HostLoop::run(). False if there is no memory.
  bool run(HostEntry entry, std::span<std::byte *const> places) const;

private:
  struct Operand {
    bool isOutput = false;
    bool isUniform = false; ///< one element for all
    size_t itemSize = 1;
    size_t pointerAt = 0;
    size_t block = 0; ///< where its padded block is in the thread's memory
  };

  int64_t blockElements = 1;
  int64_t blocks = 0; ///< whole ones
  int64_t rest = 0;   ///< elements
  std::vector<int64_t> words;
  std::vector<Operand> operands;
  size_t bytes = 0; ///< of the thread's memory
};

} // namespace kern::runtime

//===- StartupBlocks.h - a context's first small blocks ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>

namespace kern::runtime::cuda {

/// Counts the small blocks that a context allocates without its memory pool:
/// the first few. The first allocation from a new pool takes the driver 7 ms
/// (H200, driver 580), and a process that needs one small result should not
/// wait for it. Thread-safe.
class StartupBlocks {
public:
  static constexpr int maxCount = 16;

  /// Whether the next block is one of them. Counts the block.
  bool passesPool() {
    return taken.load(std::memory_order_relaxed) < maxCount &&
           taken.fetch_add(1, std::memory_order_relaxed) < maxCount;
  }

private:
  std::atomic<int> taken = 0;
};

} // namespace kern::runtime::cuda

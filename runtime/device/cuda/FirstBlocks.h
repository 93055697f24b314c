//===- FirstBlocks.h - a context's first small blocks -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>

namespace kern::cuda {

/// Which small blocks a context takes past its memory pool: the first ones,
/// since the first allocation from a new pool costs the driver 7 ms (H200,
/// driver 580), which a process that wants one small result need not wait for.
/// Safe for several threads.
class FirstBlocks {
public:
  static constexpr int most = 16;

  /// Whether the next block is one of them; counts it.
  bool passesPool() {
    return taken.load(std::memory_order_relaxed) < most &&
           taken.fetch_add(1, std::memory_order_relaxed) < most;
  }

private:
  std::atomic<int> taken = 0;
};

} // namespace kern::cuda

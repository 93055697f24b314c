//===- ThreadPool.h - threads over the outer space --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace kern::runtime::host {

/// A fixed set of threads that take ranges of tasks dynamically. The calling
/// thread works too. Several threads may call at once: one that finds the pool
/// busy runs all of its tasks itself, so that no call waits for another. A
/// forked process has no worker threads: its calls run alone, and it does not
/// touch the workers' shared state.
class ThreadPool {
public:
  /// `threads` includes the calling one; 0 counts as 1.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// The process's pool, started when first used.
  static ThreadPool &shared();

  unsigned size() const;

  /// Calls `work(begin, end)` for ranges that cover [0, count) exactly once, on
  /// at most `threads` threads, and returns when all are complete. It does not
  /// wait for threads that have not started. `work` must not throw. Returns the
  /// number of threads that worked.
  unsigned run(int64_t count, unsigned threads,
               const std::function<void(int64_t begin, int64_t end)> &work);

private:
  struct Workers;
  std::unique_ptr<Workers> workers;
  int owner; ///< the process that has the threads
  bool isForked() const;
};

} // namespace kern::runtime::host

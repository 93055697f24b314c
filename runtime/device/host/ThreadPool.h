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

namespace kern::host {

/// A fixed set of threads that take ranges of tasks as they come to them. The
/// calling thread works too. Callers may come from several threads at once:
/// whoever finds the pool busy runs all of its tasks itself, so nothing waits
/// for another call. A forked process has no threads: its calls run alone, and
/// what the threads share is left as it is.
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

  /// Calls `work(begin, end)` for ranges that cover [0, count) exactly once,
  /// on at most `threads` threads, and returns when all are done: it waits for
  /// no thread that has not begun. `work` must not throw. Returns how many
  /// threads took part.
  unsigned run(int64_t count, unsigned threads,
               const std::function<void(int64_t begin, int64_t end)> &work);

private:
  struct Crew;
  std::unique_ptr<Crew> crew;
  int owner; ///< the process that has the threads
  bool isForked() const;
};

} // namespace kern::host

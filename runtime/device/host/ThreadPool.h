//===- ThreadPool.h - threads over the outer space --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

namespace kern::runtime::host {

/// While one lives, this thread's calls use at most so many threads. 0 is no
/// limit.
class ThreadLimit {
public:
  explicit ThreadLimit(unsigned threads) : before(current) {
    current = threads ? threads : UINT32_MAX;
  }
  ~ThreadLimit() { current = before; }
  ThreadLimit(const ThreadLimit &) = delete;
  ThreadLimit &operator=(const ThreadLimit &) = delete;

private:
  friend class ThreadPool;
  static thread_local unsigned current;
  const unsigned before;
};

/// Threads that take ranges of tasks dynamically; they start when a run first
/// needs them. The calling thread works too. Several threads may call at once:
/// one that finds the pool busy runs all of its tasks itself, so that no call
/// waits for another. A process that was forked from one with worker threads
/// has none: its calls run alone, and it does not touch the workers' shared
/// state.
class ThreadPool {
public:
  /// `threads` includes the calling one; 0 counts as 1.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// The process's pool.
  static ThreadPool &shared();

  /// The most threads of one run.
  unsigned size() const { return limit.load(std::memory_order_relaxed); }
  /// The same for the calling thread, which may have a ThreadLimit.
  unsigned available() const { return std::min(size(), ThreadLimit::current); }
  /// 0 counts as 1. Threads beyond a smaller number sleep.
  void resize(unsigned threads) {
    limit.store(threads ? threads : 1, std::memory_order_relaxed);
  }

  /// Calls `work(begin, end)` for ranges that cover [0, count) exactly once, on
  /// at most `threads` threads, and returns when all are complete. It does not
  /// wait for threads that have not started. `work` must not throw. Returns the
  /// number of threads that worked.
  unsigned run(int64_t count, unsigned threads,
               const std::function<void(int64_t begin, int64_t end)> &work);

  /// While one lives, threads that have worked look for the next run for a
  /// moment before they sleep: for runs that follow one another closely.
  class Awake {
  public:
    explicit Awake(ThreadPool &pool);
    ~Awake();
    Awake(const Awake &) = delete;
    Awake &operator=(const Awake &) = delete;

  private:
    ThreadPool &pool;
  };

private:
  struct Workers;
  std::atomic<unsigned> limit;
  std::unique_ptr<Workers> workers;
  std::atomic<int> owner = 0; ///< the process that has the threads, if any
  bool isForked() const;
  /// Starts the threads that a run on `threads` lacks. In the run.
  void start(unsigned threads);
};

} // namespace kern::runtime::host

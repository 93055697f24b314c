//===- ThreadPool.h - threads over the outer space --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kern::host {

/// How many threads to use: KERN_NUM_THREADS if it is a positive number, else
/// as many cores as this process may run on. `setting` is the variable's
/// value, or NULL.
unsigned threadCount(const char *setting);

/// A fixed set of threads that take ranges of tasks as they come to them. The
/// calling thread works too. Callers may come from several threads at once:
/// whoever finds the pool busy runs all of its tasks itself, so nothing waits
/// for another call.
class ThreadPool {
public:
  /// `threads` includes the calling one; 0 counts as 1.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// The process's pool, started when first used.
  static ThreadPool &shared();

  unsigned size() const { return unsigned(workers.size()) + 1; }

  /// Calls `work(begin, end)` for ranges that cover [0, count) exactly once,
  /// and returns when all are done. `work` must not throw. Returns how many
  /// threads took part.
  unsigned run(int64_t count,
               const std::function<void(int64_t begin, int64_t end)> &work);

private:
  void workerLoop(unsigned index);
  /// Takes one range after another until none is left.
  void runRanges();

  std::vector<std::thread> workers;
  std::mutex callerMutex; ///< held by the call that uses the pool
  std::mutex mutex;       ///< guards all below but what is atomic
  std::condition_variable wake, done;
  const std::function<void(int64_t, int64_t)> *work = nullptr;
  int64_t count = 0;
  int64_t range = 1;             ///< tasks that a thread takes at once
  std::atomic<int64_t> next = 0; ///< the first task that none has taken
  unsigned shares = 0, remaining = 0;
  uint64_t round = 0;
  bool stopping = false;
  int owner = 0; ///< the process that has the threads; a fork has none
};

} // namespace kern::host

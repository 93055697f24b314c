//===- BackgroundJobs.h - work beside calls ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work that later calls profit from, such as the compilation of a kernel that
// is better than the one at hand. Each job has a thread of its own. A fork and
// the end of the process wait for the jobs: neither may find a compiler's
// locks taken, nor its memory half changed. A process whose first thread starts
// no job waits after objects that jobs were the first to make have ended.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace kern::runtime {

/// Thread-safe.
class BackgroundJobs {
public:
  /// Those of the process.
  static BackgroundJobs &shared();
  /// How many run at a time.
  static constexpr size_t most = 2;

  BackgroundJobs() = default;
  BackgroundJobs(const BackgroundJobs &) = delete;
  BackgroundJobs &operator=(const BackgroundJobs &) = delete;
  ~BackgroundJobs() { wait(); }

  enum class Start : uint8_t {
    Runs,
    Later, ///< as many as may run already
    Never, ///< the system has no thread, or no memory for one
  };
  /// Runs `job`, which must not throw, nor start others, and of which traces
  /// tell nothing.
  Start start(std::function<void()> job);
  /// Returns when no job runs.
  void wait();

private:
  struct Worker {
    std::atomic<bool> hasEnded = false;
    std::thread thread;
  };
  /// The lock is held.
  void joinAll();

  std::mutex mutex;
  std::list<Worker> workers;
};

} // namespace kern::runtime

//===- ThreadPool.cpp - threads over the outer space ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/ThreadPool.h"

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <system_error>
#include <unistd.h>

using namespace kern;
using namespace kern::host;

/// Ranges that a thread takes if all are equally fast: a core that is busy with
/// something else holds up no more than the last of them.
static constexpr int64_t rangesPerThread = 8;

unsigned host::threadCount(const char *setting) {
  if (setting && *setting) {
    char *end = nullptr;
    long wanted = std::strtol(setting, &end, 10);
    if (*end == 0 && wanted > 0)
      return unsigned(std::min(wanted, 1024l));
  }
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return unsigned(std::max(CPU_COUNT(&cores), 1));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

ThreadPool::ThreadPool(unsigned threads) : owner(int(::getpid())) {
  for (unsigned i = 1; i < threads; ++i) {
    // The one place of the library where a standard class throws for a reason
    // that a caller can do nothing about: fewer threads do as well.
    try {
      workers.emplace_back([this, i] { workerLoop(i); });
    } catch (const std::system_error &) {
      break;
    }
  }
}

ThreadPool::~ThreadPool() {
  if (owner != int(::getpid())) {
    // In a forked process the threads do not exist and cannot be joined.
    for (std::thread &worker : workers)
      worker.detach();
    return;
  }
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

ThreadPool &ThreadPool::shared() {
  static ThreadPool pool(threadCount(std::getenv("KERN_NUM_THREADS")));
  return pool;
}

void ThreadPool::runRanges() {
  for (;;) {
    int64_t begin = next.fetch_add(range, std::memory_order_relaxed);
    if (begin >= count)
      return;
    (*work)(begin, std::min(begin + range, count));
  }
}

void ThreadPool::workerLoop(unsigned index) {
  uint64_t seen = 0;
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait(lock, [&] { return stopping || round != seen; });
    if (stopping)
      return;
    seen = round;
    if (index >= shares)
      continue;
    lock.unlock();
    runRanges();
    lock.lock();
    if (--remaining == 0)
      done.notify_one();
  }
}

unsigned
ThreadPool::run(int64_t tasks,
                const std::function<void(int64_t, int64_t)> &function) {
  if (tasks <= 0)
    return 0;
  std::unique_lock caller(callerMutex, std::try_to_lock);
  if (tasks == 1 || workers.empty() || !caller.owns_lock() ||
      owner != int(::getpid())) {
    function(0, tasks);
    return 1;
  }
  unsigned used = unsigned(std::min<int64_t>(tasks, size()));
  {
    std::lock_guard lock(mutex);
    work = &function;
    count = tasks;
    shares = used;
    next.store(0, std::memory_order_relaxed);
    range = std::max<int64_t>(tasks / (int64_t(used) * rangesPerThread), 1);
    remaining = used - 1;
    ++round;
  }
  wake.notify_all();
  runRanges();
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return remaining == 0; });
  work = nullptr;
  return used;
}

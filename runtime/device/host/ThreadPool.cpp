//===- ThreadPool.cpp - threads over the outer space ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/ThreadPool.h"

#include "runtime/device/host/Cpu.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kern::runtime;
using namespace kern::runtime::host;

/// The number of ranges per thread if all are equally fast. A core that is busy
/// elsewhere delays the call by at most one range.
static constexpr int64_t rangesPerThread = 8;
/// How long a thread looks for the next run while an Awake lives. A sleeping
/// thread takes some 50 us to wake.
static constexpr std::chrono::microseconds awakeTime(1000);

/// Waits until `isSo()`, for at most so long. Gives way to other threads.
template <typename Condition>
static void lookFor(std::chrono::microseconds time, Condition isSo) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!isSo() && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
}

/// Locks what others hold for moments: sleeping would take longer.
static void lockSoon(std::unique_lock<std::mutex> &lock) {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    if (lock.try_lock())
      return;
    std::this_thread::yield();
  }
  lock.lock();
}

/// The threads and their shared state. One record, since one mutex guards it.
struct ThreadPool::Workers {
  std::vector<std::thread> threads; ///< of the call that holds callerMutex
  std::mutex callerMutex;           ///< held by the call that uses the pool
  std::mutex mutex; ///< guards the members below, except atomics
  std::condition_variable wake, done;
  const std::function<void(int64_t, int64_t)> *work = nullptr;
  int64_t count = 0;
  int64_t range = 1;             ///< tasks that a thread takes at once
  std::atomic<int64_t> next = 0; ///< the first task that is not taken
  unsigned openings = 0;         ///< threads that may still join
  unsigned joined = 0;           ///< threads that have joined this call
  /// Joined threads that have not finished. Changes under the mutex.
  std::atomic<unsigned> active = 0;
  bool stopping = false;
  std::atomic<unsigned> runs = 0; ///< that have begun
  std::atomic<int> awake = 0;     ///< Awake objects that live

  void workerLoop();
  /// Takes the next range; false if none is left.
  bool take(int64_t &begin) {
    begin = next.fetch_add(range, std::memory_order_relaxed);
    return begin < count;
  }
  /// Runs this range, then others until none is left.
  void runRanges(int64_t begin);
};

ThreadPool::ThreadPool(unsigned threads)
    : limit(threads ? threads : 1), workers(std::make_unique<Workers>()) {}

void ThreadPool::start(unsigned threads) {
  if (workers->threads.size() + 1 >= threads)
    return;
  owner = int(::getpid());
  while (workers->threads.size() + 1 < threads) {
    // std::thread throws if no more threads are available; fewer work as well.
    try {
      workers->threads.emplace_back(
          [workers = workers.get()] { workers->workerLoop(); });
    } catch (const std::system_error &) {
      break;
    }
  }
}

bool ThreadPool::isForked() const {
  int process = owner;
  return process && process != int(::getpid());
}

ThreadPool::~ThreadPool() {
  if (isForked()) {
    // The threads cannot be joined, and a condition variable's destructor would
    // wait forever for the threads that waited on it at the fork.
    (void)workers.release();
    return;
  }
  {
    std::lock_guard lock(workers->mutex);
    workers->stopping = true;
  }
  workers->wake.notify_all();
  for (std::thread &thread : workers->threads)
    thread.join();
}

thread_local unsigned ThreadLimit::current = UINT32_MAX;

ThreadPool::Awake::Awake(ThreadPool &pool) : pool(pool) {
  ++pool.workers->awake;
}

ThreadPool::Awake::~Awake() { --pool.workers->awake; }

ThreadPool &ThreadPool::shared() {
  static ThreadPool pool(threadSetting(std::getenv("KERN_NUM_THREADS"),
                                       std::getenv("OMP_NUM_THREADS"))
                             .count);
  return pool;
}

void ThreadPool::Workers::runRanges(int64_t begin) {
  do
    (*work)(begin, std::min(begin + range, count));
  while (take(begin));
}

/// A thread joins by taking a range under the lock. One that wakes late finds
/// none left, and the caller does not wait for it.
void ThreadPool::Workers::workerLoop() {
  std::unique_lock lock(mutex);
  while (true) {
    if (awake && !stopping && openings == 0) {
      const unsigned before = runs;
      lock.unlock();
      lookFor(awakeTime, [&] { return runs != before || !awake; });
      lockSoon(lock);
    }
    wake.wait(lock, [&] { return stopping || openings > 0; });
    if (stopping)
      return;
    int64_t begin = 0;
    if (!take(begin)) {
      openings = 0;
      continue;
    }
    --openings;
    ++joined;
    ++active;
    lock.unlock();
    runRanges(begin);
    lockSoon(lock);
    if (--active == 0)
      done.notify_one();
  }
}

unsigned
ThreadPool::run(int64_t tasks, unsigned threads,
                const std::function<void(int64_t, int64_t)> &function) {
  if (tasks <= 0)
    return 0;
  auto maxThreads =
      unsigned(std::min<int64_t>(tasks, std::min(threads, size())));
  std::unique_lock<std::mutex> caller;
  if (maxThreads > 1 && !isForked())
    caller = std::unique_lock(workers->callerMutex, std::try_to_lock);
  if (!caller.owns_lock()) {
    function(0, tasks);
    return 1;
  }
  start(maxThreads);
  const auto running = unsigned(workers->threads.size()) + 1;
  maxThreads = std::min(maxThreads, running);
  // The caller takes its first range before it wakes the others.
  int64_t range =
      std::max<int64_t>(tasks / (int64_t(maxThreads) * rangesPerThread), 1);
  {
    std::lock_guard lock(workers->mutex);
    workers->work = &function;
    workers->count = tasks;
    workers->range = range;
    workers->next.store(range, std::memory_order_relaxed);
    workers->openings = maxThreads - 1;
    workers->joined = 0;
    ++workers->runs;
  }
  if (maxThreads == running)
    workers->wake.notify_all();
  else
    for (unsigned i = 1; i < maxThreads; ++i)
      workers->wake.notify_one();
  workers->runRanges(0);
  if (workers->awake)
    lookFor(awakeTime, [&] { return workers->active == 0; });
  std::unique_lock lock(workers->mutex);
  workers->openings = 0;
  workers->done.wait(lock, [&] { return workers->active == 0; });
  workers->work = nullptr;
  return workers->joined + 1;
}

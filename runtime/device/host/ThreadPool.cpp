//===- ThreadPool.cpp - threads over the outer space ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/ThreadPool.h"

#include "runtime/device/host/ThreadCount.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kern;
using namespace kern::host;

/// Ranges that a thread takes if all are equally fast: a core that is busy with
/// something else holds up no more than the last of them.
static constexpr int64_t rangesPerThread = 8;

/// The threads and what they share.
struct ThreadPool::Crew {
  std::vector<std::thread> workers;
  std::mutex callerMutex; ///< held by the call that uses the pool
  std::mutex mutex;       ///< guards all below but what is atomic
  std::condition_variable wake, done;
  const std::function<void(int64_t, int64_t)> *work = nullptr;
  int64_t count = 0;
  int64_t range = 1;             ///< tasks that a thread takes at once
  std::atomic<int64_t> next = 0; ///< the first task that none has taken
  unsigned openings = 0;         ///< threads that may still join
  unsigned joined = 0;           ///< that have, in this call
  unsigned active = 0;           ///< of those, that are not done
  bool stopping = false;

  void workerLoop();
  /// Takes the next range; false if none is left.
  bool take(int64_t &begin) {
    begin = next.fetch_add(range, std::memory_order_relaxed);
    return begin < count;
  }
  /// Does the range and then one after another until none is left.
  void runRanges(int64_t begin);
};

ThreadPool::ThreadPool(unsigned threads)
    : crew(std::make_unique<Crew>()), owner(int(::getpid())) {
  for (unsigned i = 1; i < threads; ++i) {
    // The one place of the library where a standard class throws for a reason
    // that a caller can do nothing about: fewer threads do as well.
    try {
      crew->workers.emplace_back([crew = crew.get()] { crew->workerLoop(); });
    } catch (const std::system_error &) {
      break;
    }
  }
}

bool ThreadPool::isForked() const { return owner != int(::getpid()); }

ThreadPool::~ThreadPool() {
  if (isForked()) {
    // The threads cannot be joined, and a condition variable for which they
    // waited when the process was forked would wait for them for ever.
    (void)crew.release();
    return;
  }
  {
    std::lock_guard lock(crew->mutex);
    crew->stopping = true;
  }
  crew->wake.notify_all();
  for (std::thread &worker : crew->workers)
    worker.join();
}

ThreadPool &ThreadPool::shared() {
  static ThreadPool pool(threadSetting(std::getenv("KERN_NUM_THREADS")).count);
  return pool;
}

unsigned ThreadPool::size() const { return unsigned(crew->workers.size()) + 1; }

void ThreadPool::Crew::runRanges(int64_t begin) {
  do
    (*work)(begin, std::min(begin + range, count));
  while (take(begin));
}

/// A thread joins by taking a range under the lock, so that one which wakes up
/// late, and finds none left, has not kept the caller waiting.
void ThreadPool::Crew::workerLoop() {
  std::unique_lock lock(mutex);
  while (true) {
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
    lock.lock();
    if (--active == 0)
      done.notify_one();
  }
}

unsigned
ThreadPool::run(int64_t tasks, unsigned threads,
                const std::function<void(int64_t, int64_t)> &function) {
  if (tasks <= 0)
    return 0;
  auto most = unsigned(std::min<int64_t>(tasks, std::min(threads, size())));
  std::unique_lock<std::mutex> caller;
  if (most > 1 && !isForked())
    caller = std::unique_lock(crew->callerMutex, std::try_to_lock);
  if (!caller.owns_lock()) {
    function(0, tasks);
    return 1;
  }
  // The caller's range is its own before anybody wakes.
  int64_t range =
      std::max<int64_t>(tasks / (int64_t(most) * rangesPerThread), 1);
  {
    std::lock_guard lock(crew->mutex);
    crew->work = &function;
    crew->count = tasks;
    crew->range = range;
    crew->next.store(range, std::memory_order_relaxed);
    crew->openings = most - 1;
    crew->joined = 0;
  }
  if (most == size())
    crew->wake.notify_all();
  else
    for (unsigned i = 1; i < most; ++i)
      crew->wake.notify_one();
  crew->runRanges(0);
  std::unique_lock lock(crew->mutex);
  crew->openings = 0;
  crew->done.wait(lock, [&] { return crew->active == 0; });
  crew->work = nullptr;
  return crew->joined + 1;
}

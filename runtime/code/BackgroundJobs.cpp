//===- BackgroundJobs.cpp - work beside calls -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/BackgroundJobs.h"

#include "runtime/trace/Trace.h"

#include <exception>
#include <pthread.h>
#include <unistd.h>

using namespace kern::runtime;

BackgroundJobs &BackgroundJobs::shared() {
  static BackgroundJobs jobs;
  return jobs;
}

namespace {
/// A process that ends destroys the objects of its first thread before static
/// ones. Those that a job was the first to make, as a compiler's, are younger
/// than the process's BackgroundJobs, and would be destroyed before it waits.
struct WaitOfFirstThread {
  ~WaitOfFirstThread() { BackgroundJobs::shared().wait(); }
};
} // namespace

static bool isFirstThread() { return ::gettid() == ::getpid(); }

BackgroundJobs::Start BackgroundJobs::start(std::function<void()> job) {
  if (isFirstThread()) {
    static thread_local WaitOfFirstThread wait;
    (void)wait;
  }
  // The child of a fork has none of its parent's threads.
  static const int atFork = [] {
    return ::pthread_atfork(
        [] {
          shared().mutex.lock();
          shared().joinAll();
        },
        [] { shared().mutex.unlock(); }, [] { shared().mutex.unlock(); });
  }();
  if (atFork != 0)
    return Start::Never;
  std::lock_guard lock(mutex);
  workers.remove_if([](Worker &worker) {
    if (!worker.hasEnded)
      return false;
    worker.thread.join();
    return true;
  });
  if (workers.size() >= most)
    return Start::Later;
  std::list<Worker> started;
  try {
    Worker &worker = started.emplace_back();
    worker.thread = std::thread([&worker, job = std::move(job)] {
      const TraceSilence silence;
      job();
      worker.hasEnded = true;
    });
  } catch (const std::exception &) {
    return Start::Never;
  }
  workers.splice(workers.end(), started);
  return Start::Runs;
}

void BackgroundJobs::wait() {
  std::lock_guard lock(mutex);
  joinAll();
}

void BackgroundJobs::joinAll() {
  for (Worker &worker : workers)
    worker.thread.join();
  workers.clear();
}

//===- ThreadPoolTest.cpp - the thread pool -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/ThreadPool.h"
#include "runtime/device/host/Cpu.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <future>
#include <gtest/gtest.h>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kern::runtime::host;

TEST(ThreadPool, CoversEachTaskOnce) {
  for (unsigned threads : {0u, 1u, 2u, 5u}) {
    ThreadPool pool(threads);
    for (int64_t count : {0, 1, 2, 4, 7, 1000}) {
      std::vector<std::atomic<int>> visits(size_t(count) + 1);
      unsigned used = pool.run(count, threads, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          ++visits[size_t(i)];
      });
      EXPECT_LE(used, std::max(threads, 1u));
      for (int64_t i = 0; i < count; ++i)
        EXPECT_EQ(visits[size_t(i)], 1);
    }
  }
}

TEST(ThreadPool, NestedAndConcurrentRuns) {
  ThreadPool pool(3);
  std::atomic<int64_t> total = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        pool.run(10, 3, [&](int64_t begin, int64_t end) {
          for (int64_t k = begin; k < end; ++k)
            pool.run(3, 3, [&](int64_t b, int64_t e) { total += e - b; });
        });
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(total, 4 * 50 * 10 * 3);
}

TEST(ThreadPool, UsesAtMostSoManyThreads) {
  ThreadPool pool(4);
  for (unsigned maxThreads : {1u, 2u, 3u, 9u}) {
    std::mutex mutex;
    std::set<std::thread::id> seen;
    unsigned used = pool.run(200, maxThreads, [&](int64_t, int64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    EXPECT_LE(seen.size(), std::min(maxThreads, 4u));
    EXPECT_EQ(used, seen.size());
  }
}

/// The processor time of this process, in seconds.
static double processorTime() {
  return double(std::clock()) / double(CLOCKS_PER_SEC);
}

// Runs that follow one another closely find threads that are awake; these sleep
// if nothing comes.
TEST(ThreadPool, StaysAwakeForAMoment) {
  ThreadPool pool(3);
  std::atomic<int64_t> total = 0;
  {
    const ThreadPool::Awake awake(pool);
    for (int i = 0; i < 500; ++i)
      pool.run(30, 3,
               [&](int64_t begin, int64_t end) { total += end - begin; });
    EXPECT_EQ(total, 500 * 30);
    const double before = processorTime();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_LT(processorTime() - before, 0.1) << "within the moment's life";
  }
  pool.run(30, 3, [&](int64_t begin, int64_t end) { total += end - begin; });
  EXPECT_EQ(total, 501 * 30);
}

namespace {
std::atomic<bool> isHeld = false, isReleased = false;
void hold(int) {
  isHeld = true;
  while (!isReleased)
    ::poll(nullptr, 0, 1);
}
} // namespace

// A call is done when its own thread has done it all, though another one, here
// held up in a signal's handler, has not even woken.
TEST(ThreadPool, WaitsForNoThreadThatHasNotBegun) {
  ThreadPool pool(2);
  std::atomic<pthread_t> other = 0;
  pthread_t self = ::pthread_self();
  for (int i = 0; i < 10000 && !other; ++i)
    pool.run(2, 2, [&](int64_t, int64_t) {
      if (::pthread_self() != self)
        other = ::pthread_self();
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  ASSERT_NE(other.load(), pthread_t(0));
  isHeld = isReleased = false;
  struct sigaction action = {}, previous = {};
  action.sa_handler = hold;
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &previous), 0);
  ASSERT_EQ(::pthread_kill(other, SIGUSR1), 0);
  while (!isHeld)
    std::this_thread::yield();
  std::atomic<int> done = 0;
  auto call = std::async(std::launch::async, [&] {
    return pool.run(
        100, 2, [&](int64_t begin, int64_t end) { done += int(end - begin); });
  });
  bool isDone =
      call.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  isReleased = true;
  EXPECT_TRUE(isDone);
  EXPECT_EQ(call.get(), 1u);
  EXPECT_EQ(done, 100);
  ::sigaction(SIGUSR1, &previous, nullptr);
}

TEST(ThreadPool, WorksInAForkedProcess) {
  ThreadPool pool(3);
  pool.run(10, 3, [](int64_t, int64_t) {});
  pid_t child = ::fork();
  if (child == 0) {
    int64_t sum = 0; // one thread: no race
    pool.run(100, 3, [&](int64_t begin, int64_t end) { sum += end - begin; });
    ::_exit(sum == 100 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// exit() destroys what is static, so also the process's own pool. The child
// ends after that: a leak checker would find what only its parent's threads
// reach.
TEST(ThreadPool, AForkedProcessExits) {
  static bool isChild = false;
  std::atexit([] {
    if (isChild)
      ::_exit(0);
  });
  static ThreadPool pool(3);
  pool.run(100, 3, [](int64_t, int64_t) {});
  pid_t child = ::fork();
  if (child == 0) {
    isChild = true;
    pool.run(100, 3, [](int64_t, int64_t) {});
    std::exit(1);
  }
  int status = -1;
  pid_t ended = 0;
  for (int i = 0; i < 2000 && ended == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ended = ::waitpid(child, &status, WNOHANG);
  }
  if (ended == 0) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    FAIL() << "the child hangs";
  }
  EXPECT_EQ(status, 0);
}

TEST(ThreadPool, CountFromTheSetting) {
  auto isTaken = [](const char *value, unsigned count) {
    const ThreadSetting setting = threadSetting(value, nullptr);
    return setting.count == count && setting.problem.empty();
  };
  const unsigned cores = threadSetting(nullptr, nullptr).count;
  EXPECT_GE(cores, 1u);
  EXPECT_TRUE(isTaken("3", 3));
  EXPECT_TRUE(isTaken("1024", 1024));
  EXPECT_TRUE(isTaken("5000", 1024));
  EXPECT_TRUE(isTaken("99999999999999999999999", 1024));
  EXPECT_TRUE(isTaken(nullptr, cores));
  EXPECT_TRUE(isTaken("", cores));
  for (const char *wrong : {"abc", "0", "-1", "4x", " 4", "0x2", "2.5"}) {
    const ThreadSetting setting = threadSetting(wrong, "3");
    EXPECT_EQ(setting.count, cores) << wrong;
    EXPECT_EQ(setting.problem,
              "KERN_NUM_THREADS is not a number of threads: '" +
                  std::string(wrong) + "' (write a positive number)");
  }
}

TEST(ThreadPool, CountFromOpenMp) {
  const unsigned cores = threadSetting(nullptr, nullptr).count;
  auto count = [](const char *kern, const char *openMp) {
    const ThreadSetting setting = threadSetting(kern, openMp);
    EXPECT_TRUE(setting.problem.empty());
    return setting.count;
  };
  EXPECT_EQ(count(nullptr, "3"), 3u);
  EXPECT_EQ(count("", "3"), 3u);
  EXPECT_EQ(count(nullptr, "5000"), 1024u);
  EXPECT_EQ(count(nullptr, "6,2"), 6u);
  EXPECT_EQ(count("2", "3"), 2u);
  for (const char *wrong : {"", "abc", "0", "-1", ",3"})
    EXPECT_EQ(count(nullptr, wrong), cores) << wrong;
}

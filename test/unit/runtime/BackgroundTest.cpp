//===- BackgroundTest.cpp - kernels that are made beside calls ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AllocationCount.h"
#include "runtime/code/BackgroundJobs.h"
#include "runtime/module/Loop.h"
#include "runtime/plan/Schedule.h"
#include "runtime/trace/Trace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <sys/wait.h>
#include <unistd.h>

using namespace kern::runtime;
using namespace kern::test;
using namespace std::chrono_literals;
using Start = BackgroundJobs::Start;

namespace {
/// Ends jobs when the test says so.
struct Gate {
  std::promise<void> promise;
  std::shared_future<void> future = promise.get_future().share();
  void open() { promise.set_value(); }
};

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

TEST(BackgroundJobs, RunBesideTheCaller) {
  BackgroundJobs jobs;
  Gate gate;
  std::atomic<int> ended = 0;
  auto job = [&] {
    gate.future.wait();
    ++ended;
  };
  for (size_t k = 0; k < BackgroundJobs::most; ++k)
    EXPECT_EQ(jobs.start(job), Start::Runs);
  EXPECT_EQ(jobs.start(job), Start::Later) << "as many run as may";
  EXPECT_EQ(ended, 0);
  gate.open();
  jobs.wait();
  EXPECT_EQ(ended, int(BackgroundJobs::most));
  EXPECT_EQ(jobs.start(job), Start::Runs) << "there is room again";
  jobs.wait();
  EXPECT_EQ(ended, int(BackgroundJobs::most) + 1);
}

TEST(BackgroundJobs, EndBeforeTheirOwner) {
  std::atomic<bool> hasEnded = false;
  {
    BackgroundJobs jobs;
    ASSERT_EQ(jobs.start([&] {
      std::this_thread::sleep_for(20ms);
      hasEnded = true;
    }),
              Start::Runs);
  }
  EXPECT_TRUE(hasEnded);
}

// The child has no threads but its own: what a job held then would be held for
// ever.
TEST(BackgroundJobs, EndBeforeAFork) {
  std::mutex held;
  ASSERT_EQ(BackgroundJobs::shared().start([&] {
    std::lock_guard lock(held);
    std::this_thread::sleep_for(50ms);
  }),
            Start::Runs);
  std::this_thread::sleep_for(5ms);
  const pid_t child = ::fork();
  if (child == 0) {
    if (!held.try_lock())
      ::_exit(1);
    std::promise<void> ran;
    if (BackgroundJobs::shared().start([&] { ran.set_value(); }) != Start::Runs)
      ::_exit(2);
    ran.get_future().wait();
    ::_exit(0);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(held.try_lock());
  held.unlock();
}

// What a job is the first to make outlives the job, though it is younger than
// the jobs of the process.
TEST(BackgroundJobs, EndBeforeWhatTheyMade) {
  EXPECT_EXIT(
      {
        (void)BackgroundJobs::shared().start([] {
          static std::string made(100, 'x');
          std::this_thread::sleep_for(100ms);
          if (made != std::string(100, 'x'))
            ::_exit(1);
        });
        std::this_thread::sleep_for(20ms);
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(BackgroundJobs, AreNotTraced) {
  std::atomic<int> events = 0;
  const kern_trace trace(
      [](void *count, const kern_trace_event *) {
        ++*static_cast<std::atomic<int> *>(count);
      },
      &events);
  auto work = [] {
    (void)traced([] { return TraceLabel{KERN_TRACE_COMPILE, "kernel", "f"}; },
                 [] { return true; });
  };
  BackgroundJobs jobs;
  ASSERT_EQ(jobs.start(work), Start::Runs);
  jobs.wait();
  EXPECT_EQ(events, 0);
  work();
  EXPECT_EQ(events, 1);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Makes kernels when the gate is open, or fails.
struct SlowSource : CodeSource {
  Gate gate;
  std::atomic<int> made = 0;
  std::atomic<int> failures = 0; ///< still to come
  Manifest description;

  const Manifest &manifest() const override { return description; }
  const char *digest() const override { return ""; }
  Expected<LoopInfo> specialise(const FunctionInfo &,
                                std::span<const ArgType>) override {
    return LoopInfo();
  }
  Expected<std::shared_ptr<const KernelCode>> kernel(const FunctionInfo &,
                                                     const LoopInfo &,
                                                     const KernelVariant &,
                                                     CodeTarget) override {
    gate.future.wait();
    if (failures > 0) {
      --failures;
      throw std::bad_alloc();
    }
    ++made;
    auto code = std::make_shared<KernelCode>();
    code->entry = [](const int64_t *) {};
    return std::shared_ptr<const KernelCode>(std::move(code));
  }
};

struct KernelsBeside : testing::Test {
  std::shared_ptr<SlowSource> source = std::make_shared<SlowSource>();
  const FunctionInfo function = {};
  const KernelVariant wanted = {.form = Form::General};
  std::shared_ptr<Loop> loop =
      std::make_shared<Loop>(function, LoopInfo(), source);

  /// Whether the loop no longer waits for the kernel, in a while.
  bool isDecided() {
    for (int i = 0; i < 2000; ++i) {
      if (!loop->awaits(wanted, nullptr, 1))
        return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }
};

TEST_F(KernelsBeside, AreAwaited) {
  EXPECT_TRUE(loop->awaits(wanted, nullptr, 1));
  EXPECT_TRUE(loop->awaits(wanted, nullptr, 1));
  EXPECT_EQ(source->made, 0);
  source->gate.open();
  ASSERT_TRUE(isDecided());
  EXPECT_EQ(source->made, 1);
  EXPECT_TRUE(loop->kernel(wanted, nullptr));
  EXPECT_FALSE(loop->awaits(wanted, nullptr, 1));
  EXPECT_EQ(source->made, 1);
}

// Calls that return before they have run would pile up, each of them slow.
TEST_F(KernelsBeside, AreWaitedForInTheEnd) {
  EXPECT_TRUE(loop->awaits(wanted, nullptr, mostForNow));
  auto next = std::async(std::launch::async,
                         [&] { return loop->awaits(wanted, nullptr, 1); });
  EXPECT_EQ(next.wait_for(20ms), std::future_status::timeout);
  source->gate.open();
  EXPECT_FALSE(next.get());
  EXPECT_EQ(source->made, 1);
  EXPECT_TRUE(loop->kernel(wanted, nullptr));
  EXPECT_EQ(source->made, 1);
}

// The call that needs the kernel says why there is none.
TEST_F(KernelsBeside, MayFail) {
  source->failures = 1;
  source->gate.open();
  (void)loop->awaits(wanted, nullptr, 1);
  ASSERT_TRUE(isDecided());
  EXPECT_EQ(source->failures, 0);
  EXPECT_EQ(source->made, 0);
  EXPECT_TRUE(loop->kernel(wanted, nullptr)) << "tried again";
}

// Without memory for the job, or for its thread, a call makes the kernel.
TEST_F(KernelsBeside, NeedNoMemory) {
  if (!AllocationFailure::isPossible())
    GTEST_SKIP() << "a sanitizer has its own operator new";
  source->gate.open();
  bool hasFailed = true;
  for (int n = 1; hasFailed; ++n) {
    loop = std::make_shared<Loop>(function, LoopInfo(), source);
    {
      const AllocationFailure failure(n);
      try {
        (void)loop->awaits(wanted, nullptr, 1);
      } catch (const std::bad_alloc &) {
      }
      hasFailed = failure.hasFailed();
    }
    EXPECT_TRUE(isDecided()) << "allocation " << n;
    EXPECT_TRUE(loop->kernel(wanted, nullptr));
  }
  BackgroundJobs::shared().wait();
}

// Who releases a module does not wait for its kernels.
TEST_F(KernelsBeside, OutliveTheirUsers) {
  EXPECT_TRUE(loop->awaits(wanted, nullptr, 1));
  const std::weak_ptr<Loop> known = loop;
  loop.reset();
  EXPECT_FALSE(known.expired());
  source->gate.open();
  BackgroundJobs::shared().wait();
  EXPECT_TRUE(known.expired());
  EXPECT_EQ(source->made, 1);
}
} // namespace

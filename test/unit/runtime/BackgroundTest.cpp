//===- BackgroundTest.cpp - kernels that are made beside calls ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/BackgroundJobs.h"
#include "runtime/module/Loop.h"
#include "runtime/trace/Trace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <sys/wait.h>
#include <unistd.h>

using namespace kern::runtime;
using namespace std::chrono_literals;

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
    EXPECT_TRUE(jobs.start(job));
  EXPECT_FALSE(jobs.start(job)) << "as many run as may";
  EXPECT_EQ(ended, 0);
  gate.open();
  jobs.wait();
  EXPECT_EQ(ended, int(BackgroundJobs::most));
  EXPECT_TRUE(jobs.start(job)) << "there is room again";
  jobs.wait();
  EXPECT_EQ(ended, int(BackgroundJobs::most) + 1);
}

TEST(BackgroundJobs, EndBeforeTheirOwner) {
  std::atomic<bool> hasEnded = false;
  {
    BackgroundJobs jobs;
    ASSERT_TRUE(jobs.start([&] {
      std::this_thread::sleep_for(20ms);
      hasEnded = true;
    }));
  }
  EXPECT_TRUE(hasEnded);
}

// The child has no threads but its own: what a job held then would be held for
// ever.
TEST(BackgroundJobs, EndBeforeAFork) {
  std::mutex held;
  ASSERT_TRUE(BackgroundJobs::shared().start([&] {
    std::lock_guard lock(held);
    std::this_thread::sleep_for(50ms);
  }));
  std::this_thread::sleep_for(5ms);
  const pid_t child = ::fork();
  if (child == 0) {
    if (!held.try_lock())
      ::_exit(1);
    std::promise<void> ran;
    if (!BackgroundJobs::shared().start([&] { ran.set_value(); }))
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
  ASSERT_TRUE(jobs.start(work));
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
      if (!loop->awaits(wanted, nullptr))
        return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }
};

TEST_F(KernelsBeside, AreAwaited) {
  EXPECT_TRUE(loop->awaits(wanted, nullptr));
  EXPECT_TRUE(loop->awaits(wanted, nullptr));
  EXPECT_EQ(source->made, 0);
  source->gate.open();
  ASSERT_TRUE(isDecided());
  EXPECT_EQ(source->made, 1);
  EXPECT_TRUE(loop->kernel(wanted, nullptr));
  EXPECT_FALSE(loop->awaits(wanted, nullptr));
  EXPECT_EQ(source->made, 1);
}

// The call that needs the kernel says why there is none.
TEST_F(KernelsBeside, MayFail) {
  source->failures = 1;
  source->gate.open();
  (void)loop->awaits(wanted, nullptr);
  ASSERT_TRUE(isDecided());
  EXPECT_EQ(source->failures, 0);
  EXPECT_EQ(source->made, 0);
  EXPECT_TRUE(loop->kernel(wanted, nullptr)) << "tried again";
}

// Who releases a module does not wait for its kernels.
TEST_F(KernelsBeside, OutliveTheirUsers) {
  EXPECT_TRUE(loop->awaits(wanted, nullptr));
  const std::weak_ptr<Loop> known = loop;
  loop.reset();
  EXPECT_FALSE(known.expired());
  source->gate.open();
  BackgroundJobs::shared().wait();
  EXPECT_TRUE(known.expired());
  EXPECT_EQ(source->made, 1);
}
} // namespace

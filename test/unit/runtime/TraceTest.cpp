//===- TraceTest.cpp - work that others are told of -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/Trace.h"
#include "GpuCaller.h"
#include "kern/trace.hpp"
#include "runtime/cache/Cache.h"

#include <mutex>
#include <thread>

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// What is told of between construction and destruction.
class Recorder {
public:
  std::vector<std::string> list() const {
    std::lock_guard lock(mutex);
    return lines;
  }
  size_t count() const { return list().size(); }

private:
  void take(const kern_trace_event &event) {
    EXPECT_EQ(event.size, sizeof event);
    EXPECT_LE(event.begin, event.end);
    std::lock_guard lock(mutex);
    lines.push_back(
        std::to_string(event.kind) + " " + event.step + " '" + event.name +
        "' " + (event.device.device_type == kDLCPU ? "cpu" : "gpu") + " " +
        std::to_string(event.bytes) + " " + std::to_string(event.elements) +
        (event.has_succeeded ? "" : " failed"));
  }
  mutable std::mutex mutex;
  std::vector<std::string> lines;
  kern::Trace trace{[this](const kern::TraceEvent &event) { take(event); }};
};

using Lines = std::vector<std::string>;
using TraceOnGpu = GpuCaller;
} // namespace

TEST_F(TraceOnGpu, TransfersAndLaunches) {
  auto a = iota<float>(1000);
  Tensor<float> x(a.data(), {1000});
  {
    Recorder recorder;
    ASSERT_EQ(call("add", {value(x.get()), weak(1)}), KERN_OK);
    EXPECT_EQ(recorder.list(),
              (Lines{"3 to device '' gpu 4000 0", "1 load 'add' gpu 0 0",
                     "4 enqueue 'add' gpu 0 1000", "3 to host '' gpu 4000 0"}));
  }
  ManagedArray there = onDevice(x.get());
  ASSERT_EQ(call("add", {value(&there->dl_tensor), weak(1)}), KERN_OK);
  Recorder recorder;
  // A call that was planned before.
  ASSERT_EQ(call("add", {value(&there->dl_tensor), weak(1)}), KERN_OK);
  EXPECT_EQ(recorder.list(), Lines{"4 enqueue 'add' gpu 0 1000"});
}

TEST_F(TraceOnGpu, WhatFails) {
  auto a = iota<float>(1000);
  ManagedArray there = onDevice(Tensor<float>(a.data(), {1000}).get());
  Recorder recorder;
  gpu.failAt("cuLaunchKernel", 1, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("add", {value(&there->dl_tensor), weak(1)}),
            KERN_ERROR_DEVICE);
  EXPECT_EQ(recorder.list().back(), "4 enqueue 'add' gpu 0 1000 failed");
}

TEST(Trace, Cache) {
  Cache cache({true, "", 1 << 20, 1 << 20, ""});
  CacheKey key = CacheKey("kernel").add("function", "f");
  Recorder recorder;
  EXPECT_FALSE(cache.find(key));
  cache.store(key, "12345");
  EXPECT_TRUE(cache.find(key));
  EXPECT_FALSE(cache.find(CacheKey("module")));
  EXPECT_EQ(recorder.list(),
            (Lines{"2 find 'f' cpu 0 0 failed", "2 store 'f' cpu 5 0",
                   "2 find 'f' cpu 0 0", "2 find 'module' cpu 0 0 failed"}));
}

// Each is told of everything while it listens; then the flag is off again.
TEST(Trace, SeveralListeners) {
  auto work = [] {
    return traced([] { return TraceLabel{KERN_TRACE_COMPILE, "parse", "f"}; },
                  [] { return true; });
  };
  {
    Recorder first;
    EXPECT_TRUE(work());
    {
      Recorder second;
      EXPECT_TRUE(work());
      EXPECT_EQ(second.count(), 1u);
    }
    EXPECT_TRUE(work());
    EXPECT_EQ(first.count(), 3u);
  }
  EXPECT_FALSE(kern::runtime::detail::isTraced.load());
  bool isLabelled = false;
  traced(
      [&] {
        isLabelled = true;
        return TraceLabel{KERN_TRACE_COMPILE, "parse", "f"};
      },
      [] { return true; });
  EXPECT_FALSE(isLabelled);
}

// An exception is a failure.
TEST(Trace, Exceptions) {
  Recorder recorder;
  EXPECT_THROW(
      traced([] { return TraceLabel{KERN_TRACE_COMPILE, "kernel", "f"}; },
             []() -> bool { throw std::bad_alloc(); }),
      std::bad_alloc);
  EXPECT_EQ(recorder.list(), Lines{"1 kernel 'f' cpu 0 0 failed"});
}

// Listeners come and go while others work. After stop() none is told: the
// callback's number would be gone.
TEST(Trace, Threads) {
  std::atomic<bool> isOver{false};
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i)
    workers.emplace_back([&] {
      while (!isOver)
        traced([] { return TraceLabel{KERN_TRACE_LAUNCH, "run", "f"}; },
               [] { return true; });
    });
  for (int i = 0; i < 40; ++i) {
    auto told = std::make_unique<std::atomic<int>>(0);
    kern::Trace trace([&](const kern::TraceEvent &) { ++*told; });
    while (*told == 0)
      std::this_thread::yield();
    // The trace ends before what it uses.
  }
  isOver = true;
  for (std::thread &worker : workers)
    worker.join();
}

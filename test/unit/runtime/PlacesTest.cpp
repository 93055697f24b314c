//===- PlacesTest.cpp - where calls over host arrays run ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/places.h"
#include "FakeDriver.h"
#include "PlacedCaller.h"
#include "Variable.h"
#include "kern/streams.h"

#include <thread>

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// A machine of three GPUs, and calls that ask for nothing.
struct Machine {
  FakeDriver driver{FakeDriver::Options{.devices = 3}};
};
struct Places : testing::Test, Machine, PlacedCaller {
  Places() { options = noOptions(); }
  void ask(int number) { options = askingFor({kDLCUDA, number}); }
  /// Of launches of the functions' own kernels, how many each GPU had.
  std::map<CUcontext, int> launchesByContext() {
    std::map<CUcontext, int> counts;
    for (const FakeLaunch &launch : driver.launches)
      if (launch.symbol.starts_with("add"))
        ++counts[driver.ownerOf(CUdeviceptr(launch.words.back()))];
    return counts;
  }
};
} // namespace

TEST_F(Places, Names) {
  const std::pair<const char *, kern_device> rows[] = {
      {"cpu", {kDLCPU, 0}},
      {"cuda", {kDLCUDA, 0}},
      {"cuda:0", {kDLCUDA, 0}},
      {"cuda:17", {kDLCUDA, 17}},
      {"cuda:all", {kDLCUDA, KERN_ALL_GPUS}},
      {"auto", {kDLCUDA, KERN_AUTO}}};
  for (const auto &[name, expected] : rows) {
    kern_device device = {};
    ASSERT_EQ(kern_device_named(name, &device), KERN_OK) << name;
    EXPECT_EQ(device.device_type, expected.device_type) << name;
    EXPECT_EQ(device.device_id, expected.device_id) << name;
  }
  for (const char *name : {"", "gpu", "cuda:", "cuda:-1", "cuda:1x", "cuda:al",
                           "CPU", "auto ", "cuda:99999999999"}) {
    kern_device device = {};
    EXPECT_EQ(kern_device_named(name, &device), KERN_ERROR_ARGUMENT) << name;
    EXPECT_NE(std::string(kern_last_error()).find("cuda:all"),
              std::string::npos)
        << kern_last_error();
  }
}

// "cuda" is the GPU of the thread's current context.
TEST_F(Places, TheCurrentGpu) {
  auto context = cuda::Platform::current()->context(2);
  ASSERT_TRUE(context);
  cuda::ContextScope scope(**context);
  kern_device device = {};
  ASSERT_EQ(kern_device_named("cuda", &device), KERN_OK);
  EXPECT_EQ(device.device_id, 2);
}

// Not the one of an earlier call, which is current in a thread that had none.
TEST_F(Places, TheCurrentGpuIsTheCallersChoice) {
  std::thread([&] {
    ask(1);
    EXPECT_EQ(placeOf().device_id, 1);
    CUcontext now = nullptr;
    auto context = cuda::Platform::current()->context(1);
    ASSERT_TRUE(context);
    (*context)->driver().cuCtxGetCurrent(&now);
    EXPECT_EQ(now, (*context)->handle());
    kern_device device = {};
    ASSERT_EQ(kern_device_named("cuda", &device), KERN_OK);
    EXPECT_EQ(device.device_id, 0);
  }).join();
}

/// As another process would.
static void readEnvironmentAgain() {
  cuda::Platform::exchange(cuda::Platform::current());
}

TEST_F(Places, TheDefaultIsAVariable) {
  EXPECT_EQ(kern_default_device().device_type, kDLCPU);
  EXPECT_EQ(placeOf().device_type, kDLCPU);
  {
    Variable device("KERN_DEVICE", "cuda:1");
    EXPECT_EQ(kern_default_device().device_type, kDLCPU) << "it is read once";
    EXPECT_EQ(placeOf().device_type, kDLCPU) << "a call that is planned";
    EXPECT_EQ(placeOf("heavy").device_type, kDLCPU) << "a new one";
    readEnvironmentAgain();
    EXPECT_EQ(kern_default_device().device_id, 1);
    Caller fresh;
    ASSERT_EQ(fresh.call("add", {value(x.get()), weakFloat(1)}), KERN_OK);
    EXPECT_EQ(fresh.report.device.device_id, 1);
    EXPECT_EQ(fresh.report.device.device_type, kDLCUDA);
    fresh.options = onTheHost();
    ASSERT_EQ(fresh.call("add", {value(x.get()), weakFloat(1)}), KERN_OK);
    EXPECT_EQ(fresh.report.device.device_type, kDLCPU) << "the call says";
  }
  Variable device("KERN_DEVICE", "gpu");
  readEnvironmentAgain();
  EXPECT_EQ(kern_default_device().device_type, kDLCPU);
  Caller fresh;
  EXPECT_EQ(fresh.call("add", {value(x.get()), weakFloat(1)}),
            KERN_ERROR_ARGUMENT);
  EXPECT_NE(std::string(kern_last_error())
                .find("unknown device 'gpu' (there are: cpu, cuda, cuda:N, "
                      "cuda:all, auto), in the environment variable "
                      "KERN_DEVICE"),
            std::string::npos)
      << kern_last_error();
}

TEST_F(Places, AThreadsScopeComesBeforeTheVariable) {
  Variable device("KERN_DEVICE", "cuda:1");
  EXPECT_EQ(placeOf().device_id, 1);
  ASSERT_EQ(kern_device_scope_enter({kDLCPU, 0}), KERN_OK);
  EXPECT_EQ(kern_default_device().device_type, kDLCPU);
  EXPECT_EQ(placeOf().device_type, kDLCPU);
  ASSERT_EQ(kern_device_scope_enter({kDLCUDA, 2}), KERN_OK);
  EXPECT_EQ(kern_default_device().device_id, 2);
  EXPECT_EQ(placeOf().device_id, 2);
  kern_device_scope_leave();
  kern_device_scope_leave();
  EXPECT_EQ(placeOf().device_id, 1);
}

// Each GPU gets pieces, and results are those of one.
TEST_F(Places, AllGpus) {
  Variable bytes("KERN_PIECE_BYTES", "512");
  ask(KERN_ALL_GPUS);
  EXPECT_EQ(placeOf().device_id, 0);
  EXPECT_EQ(report.elements, 1000);
  const auto counts = launchesByContext();
  ASSERT_EQ(counts.size(), 3u);
  for (const auto &[context, count] : counts)
    EXPECT_GE(count, 5);
  // More GPUs than pieces; an operand that all of them keep; rows.
  Tensor<float> rows(values.data(), {10, 100}), row(values.data(), {100});
  for (const char *size : {"1500", "4000", "8000"}) {
    Variable larger("KERN_PIECE_BYTES", size);
    ASSERT_EQ(call("add", {value(rows.get()), value(row.get())}), KERN_OK);
    std::vector<float> expected;
    for (int i = 0; i < 1000; ++i)
      expected.push_back(float(i + i % 100));
    EXPECT_EQ(valuesOf<float>(result()), expected);
  }
  char text[4096] = {};
  options->explanation = text;
  options->explanation_size = sizeof text;
  (void)placeOf();
  EXPECT_NE(std::string(text).find("brought to 3 GPUs and back"),
            std::string::npos)
      << text;
}

TEST_F(Places, AllGpusRefuseArraysOfOne) {
  DLManagedTensor *copy = nullptr;
  ASSERT_EQ(kern_array_copy(x.get(), {kDLCUDA, 1}, &copy), KERN_OK);
  ManagedArray there(copy);
  ask(KERN_ALL_GPUS);
  EXPECT_EQ(call("add", {value(&copy->dl_tensor), weakFloat(1)}),
            KERN_ERROR_ARGUMENT);
  EXPECT_NE(std::string(kern_last_error())
                .find("the arrays are on cuda:1, but the call was asked to run "
                      "on cuda:all"),
            std::string::npos)
      << kern_last_error();
  ask(KERN_AUTO);
  ASSERT_EQ(call("add", {value(&copy->dl_tensor), weakFloat(1)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(report.device.device_id, 1) << "they stay where they are";
}

TEST(PlacesWithoutGpu, AllFailsAndAutoIsTheCpu) {
  FakeDriver none({.devices = 0});
  Caller caller;
  std::vector<float> values = {1, 2};
  Tensor<float> x(values.data(), {2});
  caller.options = askingFor({kDLCUDA, KERN_ALL_GPUS});
  EXPECT_EQ(caller.call("add", {value(x.get()), weakFloat(1)}),
            KERN_ERROR_NOT_FOUND);
  caller.options = askingFor({kDLCUDA, KERN_AUTO});
  EXPECT_EQ(caller.call("add", {value(x.get()), weakFloat(1)}), KERN_OK);
  EXPECT_EQ(caller.report.device.device_type, kDLCPU);
}

// Whatever call of the driver fails, nothing leaks, and the next attempt works.
TEST(PlacesFailure, EveryCall) {
  auto work = [] {
    kern_rates rates = {};
    rates.size = sizeof rates;
    return kern_device_rates({kDLCUDA, 0}, 1, &rates);
  };
  std::map<std::string, int> calls;
  {
    FakeDriver gpu;
    ASSERT_EQ(work(), KERN_OK) << kern_last_error();
    calls = gpu.calls;
  }
  int tried = 0;
  for (const auto &[name, count] : calls)
    for (int occurrence = 1; occurrence <= std::min(count, 6); ++occurrence) {
      if (name == "cuInit" || name == "cuDeviceGetCount" ||
          name == "cuCtxPopCurrent")
        continue;
      FakeDriver gpu;
      gpu.failAt(name, occurrence, CUDA_ERROR_ILLEGAL_ADDRESS);
      if (work() == KERN_OK)
        continue;
      ++tried;
      EXPECT_NE(std::string(kern_last_error()).find(name + " failed"),
                std::string::npos)
          << name << ": " << kern_last_error();
      EXPECT_EQ(work(), KERN_OK)
          << "after " << name << ": " << kern_last_error();
      EXPECT_TRUE(gpu.memory.empty()) << "leaked at " << name;
      EXPECT_TRUE(gpu.pinned.empty()) << "leaked at " << name;
      EXPECT_EQ(gpu.streams.count(), 0) << "leaked at " << name;
      EXPECT_EQ(gpu.pushed, 0);
    }
  EXPECT_GT(tried, 15);
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

namespace {
struct Listener {
  std::vector<uint64_t> done;
  uint64_t total = 0;
  size_t stopsAfter = SIZE_MAX;
  kern_progress progress = {this, step};

  static int step(void *context, uint64_t done, uint64_t total) {
    auto &self = *static_cast<Listener *>(context);
    self.done.push_back(done);
    self.total = total;
    return self.done.size() > self.stopsAfter;
  }
};
} // namespace

TEST_F(Places, ProgressIsTold) {
  for (int device : {0, int(KERN_ALL_GPUS)}) {
    Variable bytes("KERN_PIECE_BYTES", "512");
    ask(device);
    Listener listener;
    options->progress = &listener.progress;
    (void)placeOf();
    ASSERT_GT(listener.done.size(), 4u);
    EXPECT_EQ(listener.done.front(), 0u);
    EXPECT_EQ(listener.done.back(), 8000u);
    EXPECT_EQ(listener.total, 8000u) << "up and down";
    EXPECT_TRUE(std::ranges::is_sorted(listener.done));
  }
}

TEST_F(Places, TheCallerEndsACall) {
  Variable bytes("KERN_PIECE_BYTES", "512");
  for (int device : {0, int(KERN_ALL_GPUS)})
    for (size_t stop = 0; stop < 6; ++stop) {
      ask(device);
      Listener listener;
      listener.stopsAfter = stop;
      options->progress = &listener.progress;
      std::vector<float> out(1000, -1);
      Tensor<float> y(out.data(), {1000});
      EXPECT_EQ(call("add", {value(x.get()), weakFloat(1)}, {y.get()}),
                KERN_ERROR_CANCELLED);
      EXPECT_EQ(listener.done.size(), stop + 1) << "and is not told again";
      EXPECT_NE(std::string(kern_last_error()).find("`add`: cancelled after "),
                std::string::npos)
          << kern_last_error();
      EXPECT_EQ(out.back(), -1) << "the last piece was not reached";
      EXPECT_EQ(out.front(), stop ? 1 : -1);
      // Everything works on.
      options->progress = nullptr;
      (void)placeOf();
      EXPECT_EQ(driver.pushed, 0);
    }
}

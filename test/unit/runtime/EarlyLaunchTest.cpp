//===- EarlyLaunchTest.cpp - kernels launched before their turn -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// FakeCode's kernels of f64 wait themselves, those of f32 do not.
class EarlyLaunch : public GpuCaller {
protected:
  /// Whether the launches of two calls are early ones.
  template <typename T> std::vector<bool> addTwice() {
    auto a = iota<T>(12);
    ManagedArray x = onDevice(Tensor<T>(a.data(), {3, 4}).get());
    gpu.launches.clear();
    for (int call : {1, 2}) { // planned, then by the plan
      EXPECT_EQ(this->call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK)
          << call << ": " << kern_last_error();
      EXPECT_EQ(hostValues<T>(result()), iota<T>(12, 1)) << call;
    }
    std::vector<bool> early;
    for (const FakeLaunch &launch : kernelLaunches())
      early.push_back(launch.isEarly);
    return early;
  }
};
} // namespace

TEST_F(EarlyLaunch, OfKernelsThatWait) {
  EXPECT_EQ(addTwice<double>(), (std::vector<bool>{true, true}));
}

TEST_F(EarlyLaunch, NotOfOthers) {
  EXPECT_EQ(addTwice<float>(), (std::vector<bool>{false, false}));
}

// Which could not record such launches into graphs yet.
TEST_F(EarlyLaunch, NotByOlderDrivers) {
  gpu.options.version = 12020;
  EXPECT_EQ(addTwice<double>(), (std::vector<bool>{false, false}));
}

TEST_F(EarlyLaunch, NotIfTheUserSaysSo) {
  setenv("KERN_EARLY_LAUNCH", "0", 1);
  EXPECT_EQ(addTwice<double>(), (std::vector<bool>{false, false}));
  unsetenv("KERN_EARLY_LAUNCH");
}

TEST_F(EarlyLaunch, NotOnceItWasRefused) {
  std::vector<double> a = {1, 2};
  ManagedArray x = onDevice(Tensor<double>(a.data(), {2}).get());
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
  gpu.failAt("cuLaunchKernelEx", 1, CUDA_ERROR_NOT_SUPPORTED);
  for (int turn : {1, 2})
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK)
        << turn << ": " << kern_last_error();
  EXPECT_EQ(gpu.calls["cuLaunchKernelEx"], 1);
  EXPECT_EQ(gpu.calls["cuLaunchKernel"], 2);
}

// What one graph could not record says nothing of launches elsewhere.
TEST_F(EarlyLaunch, AgainAfterAGraphThatRefusedIt) {
  int stream = 0;
  options->call.stream = &stream;
  std::vector<double> a = {1, 2};
  ManagedArray x = onDevice(Tensor<double>(a.data(), {2}).get());
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {&x->dl_tensor}),
            KERN_OK);
  gpu.captured = &stream;
  gpu.refused = {"cuLaunchKernelEx"};
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {&x->dl_tensor}),
            KERN_OK)
      << kern_last_error();
  EXPECT_FALSE(gpu.launches.back().isEarly);
  gpu.captured = nullptr;
  gpu.refused.clear();
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {&x->dl_tensor}),
            KERN_OK);
  EXPECT_TRUE(gpu.launches.back().isEarly);
}

// A launch that is wrong by itself says nothing of early ones.
TEST_F(EarlyLaunch, AgainAfterAWrongOne) {
  std::vector<double> a = {1, 2};
  ManagedArray x = onDevice(Tensor<double>(a.data(), {2}).get());
  gpu.refused = {"cuLaunchKernel", "cuLaunchKernelEx"};
  EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_ERROR_DEVICE);
  gpu.refused.clear();
  EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
  EXPECT_EQ(gpu.launches.back().isEarly, true);
}

TEST_F(EarlyLaunch, FailuresNameTheFunction) {
  std::vector<double> a = {1, 2};
  ManagedArray x = onDevice(Tensor<double>(a.data(), {2}).get());
  gpu.failAt("cuLaunchKernelEx", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_ERROR_DEVICE);
  EXPECT_TRUE(std::string(kern_last_error())
                  .starts_with("`add`: cuLaunchKernelEx failed"))
      << kern_last_error();
}

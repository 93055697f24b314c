//===- Faults.cpp - scenes that are played with faults --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "AllocationCount.h"

#include <new>

using namespace kern::runtime;
using namespace kern::test;

static void closeDevice() {
  cuda::Platform::exchange(std::make_shared<cuda::Platform>(
      Expected<std::shared_ptr<const cuda::Driver>>(
          Error(ErrorCode::driver_missing))));
}

/// Closes the device, and looks for what is left of it.
static void expectNothingLeft(FakeDriver &gpu, const std::string &when) {
  closeDevice();
  EXPECT_EQ(gpu.live(), 0) << when << ": " << gpu.memory.size()
                           << " allocations, " << gpu.pinned.size()
                           << " page-locked, " << gpu.registered.size()
                           << " registered, " << gpu.events << " events, "
                           << gpu.streams.count() << " streams";
  EXPECT_EQ(gpu.contexts, 0) << when;
  EXPECT_EQ(gpu.pools, 0) << when;
  EXPECT_EQ(gpu.pushed, 0) << when;
}

/// Whether a failure says that a function of the driver failed.
static void expectNamed(const std::string &function, kern_status status,
                        const std::string &when) {
  const std::string message = status ? kern_last_error() : "";
  const size_t at = message.find(function);
  EXPECT_TRUE(status == KERN_OK ||
              (at != std::string::npos &&
               message.find(" failed: CUDA_ERROR", at) != std::string::npos))
      << when << ": " << message;
}

namespace {
/// One kind of fault. The functions return false if the n-th did not happen.
class Play {
public:
  Play(const Scene &scene, FakeDriver::Options machine)
      : scene(scene), machine(machine) {}

  bool withDriverFault(int n) const {
    FakeDriver gpu(machine);
    std::string when;
    {
      Caller caller;
      gpu.failCall(n, CUDA_ERROR_ILLEGAL_ADDRESS);
      const kern_status status = scene(caller);
      if (gpu.failed().empty())
        return false;
      when = "call " + std::to_string(n) + ", " + gpu.failed();
      expectNamed(gpu.failed(), status, when);
      again(caller, when);
    }
    expectNothingLeft(gpu, when);
    return true;
  }

  bool withAllocationFault(int n) const {
    FakeDriver gpu(machine);
    const std::string when = "allocation " + std::to_string(n);
    bool hasFailed = false;
    {
      Caller caller;
      {
        AllocationFailure failure(n);
        kern_status status = KERN_ERROR_MEMORY;
        try {
          status = scene(caller);
        } catch (const std::bad_alloc &) { // of the scene's own
        }
        hasFailed = failure.hasFailed();
        EXPECT_TRUE(status == KERN_OK || status == KERN_ERROR_MEMORY ||
                    status == KERN_ERROR_DEVICE)
            << when << ": " << status << ", " << kern_last_error();
      }
      again(caller, when);
    }
    expectNothingLeft(gpu, when);
    return hasFailed;
  }

  bool withLostDevice(int n) const {
    FakeDriver gpu(machine);
    {
      Caller caller;
      gpu.loseDevice(n, CUDA_ERROR_ECC_UNCORRECTABLE);
      const kern_status status = scene(caller);
      if (gpu.failed().empty())
        return false;
      const std::string when =
          "lost at call " + std::to_string(n) + ", " + gpu.failed();
      // What only asks or restores may fail unheard; what comes next does not.
      expectNamed("cu", status, when);
      caller.results.clear();
      const kern_status later = scene(caller);
      EXPECT_NE(later, KERN_OK) << when;
      expectNamed("cu", later, when);
      caller.results.clear();
      caller.options = onTheHost();
      std::vector<float> one = {1};
      EXPECT_EQ(caller.call("add", {value(Tensor<float>(one.data(), {1}).get()),
                                    weak(1)}),
                KERN_OK)
          << when << ": " << kern_last_error();
    }
    closeDevice();
    EXPECT_EQ(gpu.pushed, 0);
    return true;
  }

private:
  void again(Caller &caller, const std::string &when) const {
    caller.results.clear();
    EXPECT_EQ(scene(caller), KERN_OK) << when << ": " << kern_last_error();
    caller.results.clear();
  }

  const Scene &scene;
  FakeDriver::Options machine;
};
} // namespace

void kern::test::playWithFaults(const Scene &scene, FakeDriver::Options machine,
                                bool onHost) {
  const Play play(scene, machine);
  auto all = [](const auto &playWith) {
    int faults = 0;
    while (playWith(faults + 1))
      ++faults;
    EXPECT_GT(faults, 20);
  };
  all([&](int n) { return play.withDriverFault(n); });
  if (onHost && AllocationFailure::isPossible())
    all([&](int n) { return play.withAllocationFault(n); });
  all([&](int n) { return play.withLostDevice(n); });
}

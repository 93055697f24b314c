//===- CallDeviceTest.cpp - where a call runs -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeGpu.h"
#include "GpuCaller.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// Calls that name no device, unless a test sets one.
class CallDevice : public GpuCaller {
protected:
  CallDevice() { options = noOptions(); }

  /// `add` runs on `expected`, and its new result is on `result`.
  void runs(std::vector<kern_value> inputs, DLDeviceType expected,
            DLDeviceType resultOn) {
    ASSERT_EQ(call("add", std::move(inputs)), KERN_OK) << kern_last_error();
    EXPECT_EQ(report.device.device_type, expected);
    EXPECT_EQ(result().device.device_type, resultOn);
  }
  void refused(std::vector<kern_value> inputs,
               std::vector<const DLTensor *> outputs, const char *what) {
    EXPECT_EQ(call("add", std::move(inputs), std::move(outputs)),
              KERN_ERROR_ARGUMENT);
    EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
        << kern_last_error();
    EXPECT_TRUE(kernelLaunches().empty());
  }

  std::vector<float> host = {10, 20, 30};
  Tensor<float> here{host.data(), {3}};
  Tensor<float> element{host.data(), {1}};
  Tensor<float> number{host.data(), {}};
  ManagedArray there = device({1, 2, 3});
};
} // namespace

TEST_F(CallDevice, HostArraysRunOnTheHost) {
  runs({value(here.get()), value(here.get())}, kDLCPU, kDLCPU);
  EXPECT_EQ(valuesOf<float>(result()), (std::vector<float>{20, 40, 60}));
  runs({value(here.get()), weak(1)}, kDLCPU, kDLCPU);
  runs({value(number.get()), weak(1)}, kDLCPU, kDLCPU);
  EXPECT_TRUE(gpu.launches.empty());
}

TEST_F(CallDevice, NumbersRunOnTheHost) {
  runs({scalar<float>(1), weak(2)}, kDLCPU, kDLCPU);
  EXPECT_EQ(valuesOf<float>(result()), (std::vector<float>{3}));
}

TEST_F(CallDevice, ArraysOfAGpuRunThere) {
  runs({value(&there->dl_tensor), weak(1)}, kDLCUDA, kDLCUDA);
  EXPECT_EQ(hostValues<float>(result()), (std::vector<float>{2, 3, 4}));
  runs({value(&there->dl_tensor), value(number.get())}, kDLCUDA, kDLCUDA);
  EXPECT_EQ(hostValues<float>(result()), (std::vector<float>{11, 12, 13}));
}

TEST_F(CallDevice, AnOutputOnAGpuTakesNumbersThere) {
  ASSERT_EQ(call("add", {scalar<float>(1), weak(2)}, {&there->dl_tensor}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(report.device.device_type, kDLCUDA);
  EXPECT_EQ(hostValues<float>(there->dl_tensor), (std::vector<float>{3, 3, 3}));
}

TEST_F(CallDevice, AMaskOnAGpuTakesNumbersThere) {
  bool truth[3] = {true, false, true};
  ManagedArray mask = onDevice(Tensor<bool>(truth, {3}).get());
  options->where = &mask->dl_tensor;
  runs({scalar<float>(1), weak(2)}, kDLCUDA, kDLCUDA);
  EXPECT_EQ(hostValues<float>(result()), (std::vector<float>{3, 0, 3}));
}

TEST_F(CallDevice, TheDeviceThatIsAskedFor) {
  options = onTheGpu();
  runs({value(here.get()), weak(1)}, kDLCUDA, kDLCPU);
  EXPECT_EQ(valuesOf<float>(result()), (std::vector<float>{11, 21, 31}));
  runs({value(&there->dl_tensor), weak(1)}, kDLCUDA, kDLCUDA);
  runs({scalar<float>(1), weak(2)}, kDLCUDA, kDLCPU);
  options = onTheHost();
  runs({value(here.get()), weak(1)}, kDLCPU, kDLCPU);
}

TEST_F(CallDevice, ArraysOfTheHostAndOfAGpuDoNotMix) {
  kern_value h = value(here.get()), d = value(&there->dl_tensor);
  refused({d, h}, {},
          "argument 1 (`x`) is on cuda:0 and argument 2 (`y`) on "
          "cpu; copy one to the other's device");
  refused({h, d}, {},
          "argument 1 (`x`) is on cpu and argument 2 (`y`) on "
          "cuda:0; copy one");
  refused({d, weak(1)}, {here.get()},
          "argument 1 (`x`) is on cuda:0 and the array for result 1 on cpu");
  refused({h, weak(1)}, {&there->dl_tensor},
          "argument 1 (`x`) is on cpu and the array for result 1 on cuda:0");
  refused({d, value(element.get())}, {}, "argument 2 (`y`) on cpu");
  options = onTheGpu();
  refused({d, h}, {}, "argument 2 (`y`) on cpu");
  options = noOptions();
  bool truth[3] = {true, false, true};
  Tensor<bool> mask(truth, {3});
  options->where = mask.get();
  refused({d, weak(1)}, {}, "argument 1 (`x`) is on cuda:0 and `where` on cpu");
}

// Code that is compiled for GPUs does not run on the host.
TEST_F(CallDevice, CompiledFilesRunOnTheFirstGpu) {
  std::string text = fakeArtefact();
  kern_module *made = nullptr;
  ASSERT_EQ(kern_load_text(text.data(), text.size(), &made), KERN_OK)
      << kern_last_error();
  std::unique_ptr<kern_module, void (*)(kern_module *)> module(
      made, kern_module_release);
  kern_function *add = nullptr;
  ASSERT_EQ(kern_module_find(made, "add", &add), KERN_OK);
  kern_value inputs[] = {value(here.get()), weak(1)};
  DLManagedTensor *sum = nullptr;
  ASSERT_EQ(kern_call(add, inputs, 2, nullptr, &sum, 1, nullptr, &report),
            KERN_OK)
      << kern_last_error();
  ManagedArray owner(sum);
  EXPECT_EQ(report.device.device_type, kDLCUDA);
  EXPECT_EQ(valuesOf<float>(sum->dl_tensor), (std::vector<float>{11, 21, 31}));
}

//===- GpuTest.cpp - calls on a real GPU ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the driver's double cannot show: that a kernel by
// docs/explanation/kernel-abi.md, transfers, captures and memory pools work.
// Skipped without a GPU.
//
//===----------------------------------------------------------------------===//
#include "GpuCode.h"
#include "RealGpu.h"
#include "kern/memory.h"
#include "runtime/device/cuda/Memory.h"

#include <fstream>
#include <unistd.h>

using namespace kern::runtime;
using namespace kern::test;

namespace {
using Gpu = RealGpu;

} // namespace

TEST_F(Gpu, LoadsAndCallsAFile) {
  ModulePointer module = loadAdd();
  kern_function *add = kern_module_function_at(module.get(), 0);
  size_t n = 3000000;
  std::vector<float> a(n), b(n);
  for (size_t i = 0; i < n; ++i) {
    a[i] = float(i);
    b[i] = float(i % 7);
  }
  Tensor<float> x(a.data(), {int64_t(n)}), y(b.data(), {int64_t(n)});
  for (bool scalar : {false, true}) {
    kern_value inputs[] = {value(x.get()),
                           scalar ? weakFloat(0.5) : value(y.get())};
    DLManagedTensor *result = nullptr;
    kern_call_report report = {};
    report.size = sizeof report;
    ASSERT_EQ(kern_call(add, inputs, 2, nullptr, &result, 1, nullptr, &report),
              KERN_OK)
        << kern_last_error();
    ManagedArray owner(result);
    EXPECT_STREQ(report.kernel, "add_f32");
    auto got = valuesOf<float>(result->dl_tensor);
    for (size_t i = 0; i < n; ++i)
      ASSERT_EQ(got[i], a[i] + (scalar ? 0.5f : b[i]));
  }
  EXPECT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK) << kern_last_error();
}

TEST_F(Gpu, CapturesARepeatedCall) {
  auto create = driverFunction<decltype(&cuStreamCreate)>("cuStreamCreate");
  auto begin = driverFunction<CUresult (*)(CUstream, CUstreamCaptureMode)>(
      "cuStreamBeginCapture_v2");
  auto end =
      driverFunction<decltype(&cuStreamEndCapture)>("cuStreamEndCapture");
  auto instantiate =
      driverFunction<CUresult (*)(CUgraphExec *, CUgraph, unsigned long long)>(
          "cuGraphInstantiateWithFlags");
  auto launch = driverFunction<decltype(&cuGraphLaunch)>("cuGraphLaunch");
  auto destroyGraph =
      driverFunction<decltype(&cuGraphDestroy)>("cuGraphDestroy");
  auto destroyExec =
      driverFunction<decltype(&cuGraphExecDestroy)>("cuGraphExecDestroy");
  auto destroyStream =
      driverFunction<CUresult (*)(CUstream)>("cuStreamDestroy_v2");
  cuda::ContextScope scope(*context);
  CUstream stream = nullptr;
  ASSERT_EQ(create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ModulePointer module = loadAdd();
  kern_function *add = kern_module_function_at(module.get(), 0);
  ManagedArray x = newOnDevice({1, 2, 3}), out = newOnDevice({0, 0, 0});
  kern_value inputs[] = {value(&x->dl_tensor), weakFloat(0.5)};
  const DLTensor *place = &out->dl_tensor;
  kern_call_request options = noOptions();
  options.call.stream = stream;
  auto call = [&] {
    return kern_call(add, inputs, 2, &place, nullptr, 1, &options.call,
                     nullptr);
  };
  ASSERT_EQ(call(), KERN_OK) << kern_last_error();
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  ASSERT_EQ(begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  // The second call reads what the first writes.
  EXPECT_EQ(call(), KERN_OK) << kern_last_error();
  inputs[0] = value(&out->dl_tensor);
  EXPECT_EQ(call(), KERN_OK) << kern_last_error();
  ASSERT_EQ(end(stream, &graph), CUDA_SUCCESS);
  ASSERT_EQ(instantiate(&executable, graph, 0), CUDA_SUCCESS);
  for (float start : {1.0f, 10.0f}) {
    std::vector<float> fresh = {start, start, start};
    ASSERT_EQ(kern_array_assign(&x->dl_tensor,
                                Tensor<float>(fresh.data(), {3}).get()),
              KERN_OK);
    ASSERT_EQ(launch(executable, stream), CUDA_SUCCESS);
    EXPECT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK);
    EXPECT_EQ(onHost(out->dl_tensor), std::vector<float>(3, start + 1));
  }
  destroyExec(executable);
  destroyGraph(graph);
  destroyStream(stream);
}

TEST_F(Gpu, MemoryDoesNotGrowOverManyCalls) {
  ModulePointer module = loadAdd();
  kern_function *add = kern_module_function_at(module.get(), 0);
  ManagedArray x = newOnDevice(std::vector<float>(5000, 1)),
               out = newOnDevice(std::vector<float>(5000, 0));
  auto resident = [] {
    std::ifstream file("/proc/self/statm");
    long size = 0, pages = 0;
    file >> size >> pages;
    return pages * sysconf(_SC_PAGESIZE);
  };
  auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) {
      Tensor<float> part(static_cast<float *>(x->dl_tensor.data),
                         {i % 3 ? 100 : 1 + i % 5000}, {}, {kDLCUDA, 0});
      kern_value inputs[] = {value(part.get()), weak(i)};
      Tensor<float> target(static_cast<float *>(out->dl_tensor.data),
                           part.shape, {}, {kDLCUDA, 0});
      const DLTensor *place = i % 2 ? target.get() : nullptr;
      DLManagedTensor *made = nullptr;
      ASSERT_EQ(kern_call(add, inputs, 2, &place, &made, 1, nullptr, nullptr),
                KERN_OK)
          << kern_last_error();
      ManagedArray owner(made);
    }
    ASSERT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK);
  };
  // Other processes may use the GPU, so that its free memory says nothing.
  auto held = [] {
    kern_memory_info info = {};
    info.size = sizeof info;
    EXPECT_EQ(kern_memory_describe({kDLCUDA, 0}, &info), KERN_OK);
    return info.in_use + info.cached;
  };
  calls(20000);
  long before = resident();
  const uint64_t heldBefore = held();
  calls(200000);
  EXPECT_LT(resident() - before, 8 << 20);
  EXPECT_LE(held(), heldBefore);
}

TEST_F(Gpu, RunsOutOfMemoryAndOn) {
  kern_device_info info = {};
  info.size = sizeof info;
  ASSERT_EQ(kern_device_describe({kDLCUDA, 0}, &info), KERN_OK);
  auto large = cuda::allocateOrdered(context, info.memory * 2, nullptr);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().status, KERN_ERROR_MEMORY);
  // Memory that the pool kept is returned when it is needed.
  {
    auto half =
        cuda::allocateOrdered(context, info.memory_free * 6 / 10, nullptr);
    ASSERT_TRUE(half) << half.error().message;
  }
  auto other = cuda::allocate(context, info.memory_free * 6 / 10);
  EXPECT_TRUE(other) << other.error().message;
}

//===- DriverFailureTest.cpp - every driver call that fails ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Faults.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// Everything a call can do on a device: transfers both ways, casts, strided
/// copies, temporaries, two kernels, synchronisation.
kern_status everything(Caller &caller) {
  std::vector<float> a = {1, 2, 3, 4, 5, 6};
  std::vector<double> out(3);
  kern_device gpu = {kDLCUDA, 0};
  kern_device_info info = {};
  info.size = sizeof info;
  TRY(kern_device_describe(gpu, &info));
  DLManagedTensor *made = nullptr;
  Tensor<float> x(a.data(), {6});
  TRY(kern_array_copy(x.get(), gpu, &made));
  ManagedArray device(made);
  Tensor<float> every(static_cast<float *>(made->dl_tensor.data), {3}, {2},
                      gpu);
  TRY(kern_array_copy(every.get(), {kDLCPU, 0}, &made));
  ManagedArray back(made);
  EXPECT_EQ(valuesOf<float>(made->dl_tensor), (std::vector<float>{1, 3, 5}));
  // Strided, cast on the device.
  TRY(caller.call("add", {value(every.get()), scalar<double>(0.5)}));
  TRY(kern_array_assign(Tensor<double>(out.data(), {3}).get(),
                        &caller.result()));
  EXPECT_EQ(out, (std::vector<double>{1.5, 3.5, 5.5}));
  // Brought there, and the result back.
  std::vector<double> rows = {1, 2, 3, 4};
  caller.options = onTheGpu();
  kern_status status =
      caller.call("total", {value(Tensor<double>(rows.data(), {2, 2}).get())});
  caller.options.reset();
  if (status)
    return status;
  EXPECT_EQ(valuesOf<double>(caller.result()), (std::vector<double>{3, 7}));
  return kern_synchronize(gpu);
}
} // namespace

TEST(DriverFailure, EveryFault) {
  for (bool hasPools : {true, false})
    playWithFaults(everything, {1, hasPools});
}

// Under a sanitizer, an allocation that cannot be is to fail as without. The
// names are the sanitizers'. NOLINTBEGIN
extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" const char *__tsan_default_options() {
  return "allocator_may_return_null=1";
}
// NOLINTEND

TEST(DriverFailure, OutOfMemory) {
  FakeDriver gpu({1, true, 1000});
  Caller caller;
  caller.options = onTheGpu();
  std::vector<double> a(100);
  Tensor<double> x(a.data(), {100});
  EXPECT_EQ(caller.call("add", {value(x.get()), weak(1)}), KERN_ERROR_MEMORY);
  EXPECT_NE(std::string(kern_last_error())
                .find("out of memory: 800 bytes on "
                      "cuda:0"),
            std::string::npos)
      << kern_last_error();
  EXPECT_EQ(gpu.calls["cuMemPoolTrimTo"], 1) << "the pool gave back first";
  gpu.options.memory = 10000;
  EXPECT_EQ(caller.call("add", {value(x.get()), weak(1)}), KERN_OK);
  DLManagedTensor *array = nullptr;
  int64_t shape[] = {int64_t(1) << 40};
  EXPECT_EQ(kern_array_new(KERN_F32, 1, shape, {kDLCUDA, 0}, &array),
            KERN_ERROR_MEMORY);
  EXPECT_EQ(array, nullptr);
  shape[0] = int64_t(1) << 58;
  EXPECT_EQ(kern_array_new(KERN_F32, 1, shape, {kDLCPU, 0}, &array),
            KERN_ERROR_MEMORY)
      << "on the host too";
}

// What goes wrong after a call has returned names the function.
TEST(DriverFailure, LaterErrorsNameTheFunction) {
  FakeDriver gpu;
  Caller caller;
  std::vector<double> a = {1, 2};
  DLManagedTensor *copy = nullptr;
  ASSERT_EQ(
      kern_array_copy(Tensor<double>(a.data(), {2}).get(), {kDLCUDA, 0}, &copy),
      KERN_OK);
  ManagedArray x(copy);
  ASSERT_EQ(caller.call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
  gpu.failAt("cuCtxSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_ERROR_DEVICE);
  EXPECT_NE(std::string(kern_last_error()).find("caused by `add`"),
            std::string::npos)
      << kern_last_error();
  ASSERT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK);
  gpu.failAt("cuCtxSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_ERROR_DEVICE);
  EXPECT_EQ(std::string(kern_last_error()).find("add"), std::string::npos)
      << "that was before the synchronisation";
}

// A launch that finds what an earlier kernel did names that one's function too,
// planned or not; one that is refused for its own sake names no other.
TEST(DriverFailure, LaunchesNameTheFunctionBefore) {
  FakeDriver gpu;
  Caller caller;
  std::vector<double> a = {1, 2, 3, 4};
  DLManagedTensor *copy = nullptr;
  ASSERT_EQ(kern_array_copy(Tensor<double>(a.data(), {2, 2}).get(),
                            {kDLCUDA, 0}, &copy),
            KERN_OK);
  ManagedArray x(copy);
  auto add = [&] {
    return caller.call("add", {value(&x->dl_tensor), weak(1)});
  };
  std::array<bool, 4> truth = {true, true, false, true};
  ASSERT_EQ(kern_array_copy(Tensor<bool>(truth.data(), {2, 2}).get(),
                            {kDLCUDA, 0}, &copy),
            KERN_OK);
  ManagedArray mask(copy);
  auto addSome = [&] { // not planned
    caller.options = noOptions();
    caller.options->where = &mask->dl_tensor;
    kern_status status = add();
    caller.options.reset();
    return status;
  };
  auto total = [&] { return caller.call("total", {value(&x->dl_tensor)}); };
  auto expect = [&](const char *what, auto call, CUresult result,
                    const char *blamed) {
    ASSERT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK);
    ASSERT_EQ(total(), KERN_OK);
    gpu.failAt("cuLaunchKernelEx", 1, result);
    EXPECT_EQ(call(), KERN_ERROR_DEVICE) << what;
    std::string message = kern_last_error();
    EXPECT_TRUE(message.starts_with("`add`: cuLaunchKernelEx failed"))
        << what << ": " << message;
    EXPECT_TRUE(message.ends_with(blamed)) << what << ": " << message;
  };
  ASSERT_EQ(add(), KERN_OK);
  ASSERT_EQ(addSome(), KERN_OK);
  expect("planned", add, CUDA_ERROR_ILLEGAL_ADDRESS, ", caused by `total`");
  expect("not planned", addSome, CUDA_ERROR_LAUNCH_FAILED,
         ", caused by `total`");
  gpu.refused = {"cuLaunchKernel", "cuLaunchKernelEx"};
  EXPECT_EQ(add(), KERN_ERROR_DEVICE);
  std::string message = kern_last_error();
  EXPECT_TRUE(message.starts_with("`add`: cuLaunchKernel failed")) << message;
  EXPECT_TRUE(message.ends_with("(injected)")) << message << ": its own";
}

TEST(DriverFailure, RefusedCode) {
  FakeDriver gpu;
  gpu.badPtx = "fake PTX";
  Caller caller;
  caller.options = onTheGpu();
  EXPECT_EQ(caller.call("add", {weak(1), weak(2)}), KERN_ERROR_ARTEFACT);
  std::string message = kern_last_error();
  EXPECT_NE(message.find("`add`: cuModuleLoadDataEx failed"),
            std::string::npos);
  EXPECT_TRUE(message.ends_with("line 1: syntax error")) << message;
  gpu.badPtx.clear();
  for (auto [result, what] :
       {std::pair(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "update the driver"),
        std::pair(CUDA_ERROR_NO_BINARY_FOR_GPU, "newer GPU than this sm_90")}) {
    gpu.failAt("cuModuleLoadDataEx", 1, result);
    EXPECT_EQ(caller.call("add", {weak(1), weak(2)}), KERN_ERROR_ARTEFACT);
    EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos);
  }
  // `both` has no GPU kernel in FakeCode: the manifest promises too much.
  EXPECT_EQ(caller.call("both", {weak(1), scalar<int32_t>(2)}),
            KERN_ERROR_ARTEFACT);
  EXPECT_NE(std::string(kern_last_error()).find("'both_i32_strided'"),
            std::string::npos)
      << kern_last_error();
}

TEST(DriverFailure, NoDriverOrNoDevice) {
  auto previous = cuda::Platform::exchange(std::make_shared<cuda::Platform>(
      Expected<std::shared_ptr<const cuda::Driver>>(
          Error{KERN_ERROR_DEVICE, "the driver library is not installed"})));
  EXPECT_EQ(kern_cuda_device_count(), 0);
  EXPECT_STREQ(kern_cuda_unavailable_reason(),
               "the driver library is not installed");
  EXPECT_EQ(kern_default_device().device_type, kDLCPU);
  Caller caller;
  EXPECT_EQ(caller.call("add", {weak(1), weak(2)}), KERN_OK) << "on the host";
  EXPECT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_ERROR_NOT_FOUND);
  EXPECT_NE(std::string(kern_last_error()).find("not installed"),
            std::string::npos);
  cuda::Platform::exchange(previous);
  {
    FakeDriver none({0});
    EXPECT_STREQ(kern_cuda_unavailable_reason(),
                 "the NVIDIA driver finds no GPU");
  }
  FakeDriver refusing({1, true, 0, CUDA_ERROR_NO_DEVICE});
  EXPECT_EQ(kern_cuda_device_count(), 0);
  EXPECT_NE(std::string(kern_cuda_unavailable_reason())
                .find("cuInit failed: CUDA_ERROR_NO_DEVICE"),
            std::string::npos);
}

TEST(DriverFailure, ModulesAreUnloaded) {
  FakeDriver gpu;
  for (int i = 0; i < 3; ++i) {
    Caller caller;
    caller.options = onTheGpu();
    ASSERT_EQ(caller.call("add", {weak(1), weak(2)}), KERN_OK);
    ASSERT_EQ(
        caller.call(
            "total",
            {value(Tensor<double>(std::vector<double>{1}.data(), {1}).get())}),
        KERN_OK);
    EXPECT_EQ(gpu.modules.size(), 1u) << "one text is loaded once";
  }
  EXPECT_TRUE(gpu.modules.empty());
}

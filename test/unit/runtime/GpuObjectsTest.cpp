//===- GpuObjectsTest.cpp - streams, memory and graphs of a real GPU ------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the driver's double cannot show. The arrays are so large that calls of
// two streams meet if nothing orders them. Skipped without a GPU.
//
//===----------------------------------------------------------------------===//
#include "GpuCode.h"
#include "RealGpu.h"
#include "kern/graphs.h"
#include "kern/memory.h"

#include <chrono>

using namespace kern::runtime;
using namespace kern::test;

namespace {
const kern_device gpu0 = {kDLCUDA, 0};

class GpuObjects : public RealGpu {
protected:
  void SetUp() override {
    RealGpu::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    module = loadAdd();
    add = kern_module_function_at(module.get(), 0);
  }
  /// x + number into `out`, or a new result.
  ManagedArray call(void *stream, const ManagedArray &x, float number,
                    const DLTensor *out = nullptr) {
    kern_call_options options = {};
    options.size = sizeof options;
    options.stream = stream;
    const kern_value inputs[] = {value(&x->dl_tensor), scalar<float>(number)};
    DLManagedTensor *made = nullptr;
    EXPECT_EQ(kern_call(add, inputs, 2, &out, &made, 1, &options, nullptr),
              KERN_OK)
        << kern_last_error();
    return ManagedArray(made);
  }
  /// x + 1 + … on one stream after the other; all elements are `expected`.
  void passBetween(std::vector<void *> streams, float expected) {
    ManagedArray x = newOnDevice(std::vector<float>(length, 0));
    for (int i = 0; i < int(expected); ++i)
      x = call(streams[size_t(i) % streams.size()], x, 1);
    const std::vector<float> values = onHost(x->dl_tensor);
    EXPECT_EQ(std::ranges::count(values, expected), int64_t(length));
  }
  static CUstream newCudaStream() {
    CUstream stream = nullptr;
    auto create = driverFunction<decltype(&cuStreamCreate)>("cuStreamCreate");
    EXPECT_EQ(create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    return stream;
  }
  static void endCudaStream(CUstream stream) {
    driverFunction<decltype(&cuStreamDestroy)>("cuStreamDestroy_v2")(stream);
  }

  static constexpr size_t length = size_t(1) << 24;
  ModulePointer module{nullptr, kern_module_release};
  kern_function *add = nullptr;
};
} // namespace

TEST_F(GpuObjects, StreamsAreOrderedByArrays) {
  kern_stream *first = nullptr, *second = nullptr;
  ASSERT_EQ(kern_stream_new(gpu0, &first), KERN_OK) << kern_last_error();
  ASSERT_EQ(kern_stream_new(gpu0, &second), KERN_OK);
  passBetween({kern_stream_handle(first), kern_stream_handle(second)}, 40);
  passBetween({nullptr, kern_stream_handle(second)}, 40);
  kern_stream_release(first);
  kern_stream_release(second);
}

TEST_F(GpuObjects, StreamsOfTheCallerAreToo) {
  cuda::ContextScope scope(*context);
  CUstream first = newCudaStream(), second = newCudaStream();
  passBetween({first, second}, 40);
  endCudaStream(first);
  endCudaStream(second);
}

TEST_F(GpuObjects, StreamsEndBeforeTheirArrays) {
  cuda::ContextScope scope(*context);
  for (size_t n : {size_t(100), length})
    for (int i = 0; i < 20; ++i) {
      CUstream stream = newCudaStream();
      ManagedArray x = newOnDevice(std::vector<float>(n, 1));
      ManagedArray y = call(stream, x, 1), z = call(stream, y, 1);
      y.reset();
      endCudaStream(stream); // while it computes
      kern_stream *other = nullptr;
      ASSERT_EQ(kern_stream_new(gpu0, &other), KERN_OK);
      ManagedArray w = call(kern_stream_handle(other), z, 1);
      z.reset();
      kern_stream_release(other);
      EXPECT_EQ(onHost(w->dl_tensor)[n - 1], 4);
    }
  EXPECT_EQ(kern_memory_trim(gpu0), KERN_OK) << kern_last_error();
}

TEST_F(GpuObjects, EventsMeasure) {
  kern_stream *stream = nullptr;
  kern_event *begin = nullptr, *end = nullptr;
  ASSERT_EQ(kern_stream_new(gpu0, &stream), KERN_OK);
  ASSERT_EQ(kern_event_new(gpu0, 1, &begin), KERN_OK);
  ASSERT_EQ(kern_event_new(gpu0, 1, &end), KERN_OK);
  ManagedArray x = newOnDevice(std::vector<float>(length, 0));
  call(kern_stream_handle(stream), x, 1, &x->dl_tensor);
  ASSERT_EQ(kern_event_record(begin, stream), KERN_OK);
  for (int i = 0; i < 10; ++i)
    call(kern_stream_handle(stream), x, 1, &x->dl_tensor);
  ASSERT_EQ(kern_event_record(end, stream), KERN_OK);
  ASSERT_EQ(kern_event_synchronize(end), KERN_OK);
  float milliseconds = 0;
  ASSERT_EQ(kern_event_elapsed(begin, end, &milliseconds), KERN_OK)
      << kern_last_error();
  EXPECT_GT(milliseconds, 0.1f); // 1.3 GB
  EXPECT_LT(milliseconds, 1000.0f);
  kern_event_release(begin);
  kern_event_release(end);
  kern_stream_release(stream);
}

TEST_F(GpuObjects, GraphsReplay) {
  kern_stream *stream = nullptr;
  kern_graph *graph = nullptr;
  ASSERT_EQ(kern_stream_new(gpu0, &stream), KERN_OK);
  void *const handle = kern_stream_handle(stream);
  ManagedArray x = newOnDevice(std::vector<float>(1000, 0));
  ASSERT_EQ(kern_graph_begin(stream, &graph), KERN_OK) << kern_last_error();
  for (int i = 0; i < 5; ++i) { // x = x + 2, through a result that ends
    ManagedArray y = call(handle, x, 1);
    call(handle, y, 1, &x->dl_tensor);
  }
  ASSERT_EQ(kern_graph_end(graph), KERN_OK) << kern_last_error();
  module.reset(); // the graph keeps its code
  ManagedArray elsewhere = newOnDevice(std::vector<float>(1000, 7));
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(kern_graph_launch(graph, stream), KERN_OK) << kern_last_error();
  EXPECT_EQ(onHost(x->dl_tensor)[999], 1000);
  EXPECT_EQ(onHost(elsewhere->dl_tensor)[999], 7);
  x.reset();
  EXPECT_EQ(kern_graph_launch(graph, stream), KERN_ERROR_ARGUMENT);
  kern_graph_release(graph);
  kern_stream_release(stream);
}

TEST_F(GpuObjects, TheDriversPoolServes) {
  kern_memory_allocator allocator = {};
  allocator.size = sizeof allocator;
  allocator.allocate = [](void *, size_t bytes, kern_device,
                          void *stream) -> void * {
    static auto allocate =
        driverFunction<decltype(&cuMemAllocAsync)>("cuMemAllocAsync");
    CUdeviceptr memory = 0;
    return allocate(&memory, bytes, static_cast<CUstream>(stream))
               ? nullptr
               : reinterpret_cast<void *>(memory);
  };
  allocator.free = [](void *, void *memory, size_t, kern_device, void *stream) {
    static auto free =
        driverFunction<decltype(&cuMemFreeAsync)>("cuMemFreeAsync");
    free(reinterpret_cast<CUdeviceptr>(memory), static_cast<CUstream>(stream));
  };
  cuda::ContextScope scope(*context);
  kern_stream *first = nullptr, *second = nullptr;
  ASSERT_EQ(kern_stream_new(gpu0, &first), KERN_OK);
  ASSERT_EQ(kern_stream_new(gpu0, &second), KERN_OK);
  ASSERT_EQ(kern_memory_set_allocator(gpu0, &allocator), KERN_OK);
  passBetween({kern_stream_handle(first), kern_stream_handle(second)}, 40);
  ASSERT_EQ(kern_memory_set_allocator(gpu0, nullptr), KERN_OK);
  kern_stream_release(first);
  kern_stream_release(second);
}

TEST_F(GpuObjects, MemoryHasLimitsAndGoesBack) {
  kern_memory_info info = {};
  info.size = sizeof info;
  ASSERT_EQ(kern_memory_trim(gpu0), KERN_OK);
  ASSERT_EQ(kern_memory_describe(gpu0, &info), KERN_OK);
  const uint64_t before = info.in_use;
  ManagedArray x = newOnDevice(std::vector<float>(length, 1));
  call(nullptr, x, 1);
  ASSERT_EQ(kern_synchronize(gpu0), KERN_OK);
  ASSERT_EQ(kern_memory_describe(gpu0, &info), KERN_OK);
  EXPECT_EQ(info.in_use, before + length * 4);
  // The result may have had a part of what was kept already.
  EXPECT_GE(info.cached, length * 2) << "what the result had";
  EXPECT_GE(info.peak, length * 8);
  ASSERT_EQ(kern_memory_trim(gpu0), KERN_OK);
  ASSERT_EQ(kern_memory_describe(gpu0, &info), KERN_OK);
  EXPECT_EQ(info.cached, 0u);
  ASSERT_EQ(kern_memory_set_limit(gpu0, before + length * 5), KERN_OK);
  DLManagedTensor *made = nullptr;
  const int64_t shape[] = {int64_t(length)};
  EXPECT_EQ(kern_array_new(KERN_F32, 1, shape, gpu0, &made), KERN_ERROR_MEMORY);
  EXPECT_NE(std::string(kern_last_error()).find("its limit is"),
            std::string::npos)
      << kern_last_error();
  ASSERT_EQ(kern_memory_set_limit(gpu0, 0), KERN_OK);
}

TEST_F(GpuObjects, PageLockedMemoryIsKeptAndRegistered) {
  const kern_device pinned = {kDLCUDAHost, 0};
  const int64_t shape[] = {int64_t(length)};
  DLManagedTensor *made = nullptr;
  ASSERT_EQ(kern_array_new(KERN_F32, 1, shape, pinned, &made), KERN_OK)
      << kern_last_error();
  void *const memory = made->dl_tensor.data;
  made->deleter(made);
  ASSERT_EQ(kern_array_new(KERN_F32, 1, shape, pinned, &made), KERN_OK);
  EXPECT_EQ(made->dl_tensor.data, memory);
  made->deleter(made);
  ASSERT_EQ(kern_memory_trim(pinned), KERN_OK);
  std::vector<float> yours(length, 3);
  ASSERT_EQ(kern_host_register(yours.data(), length * 4), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(kern_host_register(yours.data(), length * 4), KERN_ERROR_ARGUMENT);
  ManagedArray there = newOnDevice(yours);
  EXPECT_EQ(onHost(there->dl_tensor)[length - 1], 3);
  EXPECT_EQ(kern_host_unregister(yours.data()), KERN_OK);
  EXPECT_EQ(kern_host_unregister(yours.data()), KERN_ERROR_ARGUMENT);
}

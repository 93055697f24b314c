//===- MemoryPoolsTest.cpp - limits, allocators, page-locked memory -------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"
#include "kern/memory.h"
#include "kern/streams.h"
#include "runtime/device/cuda/PinnedPool.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
const kern_device gpu0 = {kDLCUDA, 0}, pinned0 = {kDLCUDAHost, 0};

kern_memory_info describe(kern_device device) {
  kern_memory_info info = {};
  info.size = sizeof info;
  EXPECT_EQ(kern_memory_describe(device, &info), KERN_OK) << kern_last_error();
  return info;
}

class MemoryPools : public GpuCaller {
protected:
  ManagedArray newArray(kern_device device, int64_t count,
                        kern_dtype type = KERN_U8) {
    DLManagedTensor *made = nullptr;
    status = kern_array_new(type, 1, &count, device, &made);
    return ManagedArray(made);
  }
  void refused(kern_status expected, std::vector<const char *> texts) {
    EXPECT_EQ(status, expected);
    for (const char *text : texts)
      EXPECT_NE(std::string(kern_last_error()).find(text), std::string::npos)
          << text << " in " << kern_last_error();
  }
  kern_status status = KERN_OK;
};

/// A framework's pool: it counts what it has given.
struct Pool {
  struct Given {
    void *memory;
    size_t bytes;
    void *stream;
    int type;
  };
  std::vector<Given> given, taken;
  FakeDriver *gpu = nullptr; ///< NULL: host memory
  bool isEmpty = false;
  size_t offset = 0;

  kern_memory_allocator get() {
    return {sizeof(kern_memory_allocator), this, allocate, free};
  }
  static void *allocate(void *self, size_t bytes, kern_device device,
                        void *stream) {
    auto &pool = *static_cast<Pool *>(self);
    if (pool.isEmpty)
      return nullptr;
    CUdeviceptr pointer = 0;
    void *memory = nullptr;
    if (pool.gpu) {
      EXPECT_EQ(pool.gpu->allocate(&pointer, bytes + 64, nullptr),
                CUDA_SUCCESS);
      memory = reinterpret_cast<void *>(pointer + pool.offset);
    } else {
      memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    }
    pool.given.push_back({memory, bytes, stream, int(device.device_type)});
    return memory;
  }
  static void free(void *self, void *memory, size_t bytes, kern_device device,
                   void *stream) {
    auto &pool = *static_cast<Pool *>(self);
    pool.taken.push_back({memory, bytes, stream, int(device.device_type)});
    if (pool.gpu)
      pool.gpu->release(reinterpret_cast<CUdeviceptr>(memory) - pool.offset);
    else
      std::free(memory);
  }
};
} // namespace

TEST_F(MemoryPools, StatisticsOfAGpu) {
  EXPECT_EQ(describe(gpu0).in_use, 0u);
  ManagedArray a = newArray(gpu0, 5000);
  EXPECT_EQ(describe(gpu0).in_use, 5000u);
  ManagedArray b = newArray(gpu0, 3000);
  EXPECT_EQ(describe(gpu0).in_use, 8000u);
  b.reset();
  EXPECT_EQ(describe(gpu0).in_use, 5000u);
  EXPECT_EQ(describe(gpu0).peak, 8000u);
  ASSERT_EQ(kern_memory_reset_peak(gpu0), KERN_OK);
  EXPECT_EQ(describe(gpu0).peak, 5000u);
  a.reset();
  // A small result's memory is kept as a block of 512 bytes.
  ManagedArray x = device({1, 2});
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
  EXPECT_EQ(describe(gpu0).in_use, 8u + 512);
  results.clear();
  EXPECT_EQ(describe(gpu0).in_use, 8u);
  EXPECT_EQ(describe(gpu0).cached, 512u);
  gpu.poolKeeps = 10000;
  EXPECT_EQ(describe(gpu0).cached, 10512u);
  ASSERT_EQ(kern_memory_trim(gpu0), KERN_OK) << kern_last_error();
  EXPECT_EQ(describe(gpu0).cached, 0u);
  EXPECT_EQ(describe(gpu0).in_use, 8u);
  EXPECT_EQ(gpu.memory.size(), 1u);
}

TEST_F(MemoryPools, ALimitOfAGpu) {
  ASSERT_EQ(kern_memory_set_limit(gpu0, 10000), KERN_OK);
  EXPECT_EQ(describe(gpu0).limit, 10000u);
  ManagedArray a = newArray(gpu0, 6000);
  EXPECT_EQ(status, KERN_OK);
  ManagedArray b = newArray(gpu0, 6000);
  refused(KERN_ERROR_MEMORY, {"out of memory: 5.9 KiB on cuda:0", "are free",
                              "Kern has 5.9 KiB in use and keeps 0 bytes",
                              "its limit is 9.8 KiB"});
  a.reset();
  b = newArray(gpu0, 6000);
  EXPECT_EQ(status, KERN_OK);
  // What is kept goes before an allocation fails.
  b.reset();
  ManagedArray x = device({1, 2});
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
  results.clear();
  b = newArray(gpu0, 9900);
  EXPECT_EQ(status, KERN_OK) << kern_last_error();
  ASSERT_EQ(kern_memory_set_limit(gpu0, 0), KERN_OK);
  a = newArray(gpu0, 100000);
  EXPECT_EQ(status, KERN_OK);
}

TEST_F(MemoryPools, PinnedMemoryIsKept) {
  EXPECT_EQ(describe(pinned0).in_use, 0u);
  ManagedArray a = newArray(pinned0, 5000); // two pages
  EXPECT_EQ(describe(pinned0).in_use, 8192u);
  void *memory = a->dl_tensor.data;
  a.reset();
  EXPECT_EQ(describe(pinned0).in_use, 0u);
  EXPECT_EQ(describe(pinned0).cached, 8192u);
  gpu.calls.clear();
  a = newArray(pinned0, 8000);
  EXPECT_EQ(a->dl_tensor.data, memory);
  EXPECT_EQ(gpu.calls["cuMemHostAlloc"], 0);
  EXPECT_EQ(describe(pinned0).cached, 0u);
  EXPECT_EQ(describe(pinned0).peak, 8192u);
  a.reset();
  ASSERT_EQ(kern_memory_trim(pinned0), KERN_OK);
  EXPECT_TRUE(gpu.pinned.empty());
  EXPECT_EQ(describe(pinned0).cached, 0u);
  // Too much is not kept.
  a = newArray(pinned0, int64_t(cuda::PinnedPool::maxCached) + 1);
  ASSERT_EQ(status, KERN_OK);
  a.reset();
  EXPECT_TRUE(gpu.pinned.empty());
}

TEST_F(MemoryPools, PinnedMemoryRunsOut) {
  ManagedArray a = newArray(pinned0, 5000);
  a.reset();
  ASSERT_EQ(kern_memory_set_limit(pinned0, 10000), KERN_OK);
  a = newArray(pinned0, 20000);
  refused(KERN_ERROR_MEMORY,
          {"20.0 KiB on the host, page-locked", "its limit is 9.8 KiB"});
  EXPECT_TRUE(gpu.pinned.empty()) << "what was kept went first";
  ASSERT_EQ(kern_memory_set_limit(pinned0, 0), KERN_OK);
  gpu.options.hostMemory = 1000;
  a = newArray(pinned0, 20000);
  refused(KERN_ERROR_MEMORY, {"out of memory: 20.0 KiB on the host"});
}

TEST_F(MemoryPools, AnAllocatorOfTheCaller) {
  Pool pool;
  pool.gpu = &gpu;
  const kern_memory_allocator allocator = pool.get();
  ASSERT_EQ(kern_memory_set_allocator(gpu0, &allocator), KERN_OK)
      << kern_last_error();
  auto *const stream = reinterpret_cast<void *>(uintptr_t(0x701));
  {
    ManagedArray x = device({1, 2});
    ASSERT_EQ(pool.given.size(), 1u);
    EXPECT_EQ(pool.given[0].memory, x->dl_tensor.data);
    EXPECT_EQ(pool.given[0].bytes, 8u);
    options->call.stream = stream;
    ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
    ASSERT_EQ(pool.given.size(), 2u);
    EXPECT_EQ(pool.given[1].stream, stream);
    EXPECT_EQ(hostValues<float>(result()), (std::vector<float>{2, 3}));
    results.clear();
    ASSERT_EQ(pool.taken.size(), 1u) << "nothing of it is kept";
    EXPECT_EQ(pool.taken[0].stream, stream);
    EXPECT_EQ(pool.taken[0].memory, pool.given[1].memory);
    // Memory goes back to where it came from.
    ASSERT_EQ(kern_memory_set_allocator(gpu0, nullptr), KERN_OK);
    ManagedArray own = device({1});
    EXPECT_EQ(pool.given.size(), 2u);
  }
  EXPECT_EQ(pool.taken.size(), 2u);
  EXPECT_EQ(describe(gpu0).in_use, 0u);
}

TEST_F(MemoryPools, AnAllocatorsMemoryIsFreeAfterItsLastUse) {
  Pool pool;
  pool.gpu = &gpu;
  const kern_memory_allocator allocator = pool.get();
  ManagedArray x = device({1, 2});
  ASSERT_EQ(kern_memory_set_allocator(gpu0, &allocator), KERN_OK);
  kern_stream *first = nullptr, *second = nullptr;
  ASSERT_EQ(kern_stream_new(gpu0, &first), KERN_OK);
  ASSERT_EQ(kern_stream_new(gpu0, &second), KERN_OK);
  auto add = [&](kern_stream *stream, const ManagedArray &of) {
    options->call.stream = kern_stream_handle(stream);
    EXPECT_EQ(call("add", {value(&of->dl_tensor), weak(1)}), KERN_OK);
    ManagedArray made = std::move(results.front());
    results.clear();
    return made;
  };
  ManagedArray y = add(first, x), z = add(second, y);
  y.reset(); // the double would crash if `second` had not read it
  ASSERT_EQ(kern_stream_synchronize(second), KERN_OK);
  EXPECT_EQ(hostValues<float>(z->dl_tensor), (std::vector<float>{3, 4}));
  kern_stream_release(first);
  kern_stream_release(second);
  z.reset();
  EXPECT_EQ(pool.taken.size(), 2u);
}

TEST_F(MemoryPools, AllocatorsThatFail) {
  Pool pool;
  pool.gpu = &gpu;
  kern_memory_allocator allocator = pool.get();
  ASSERT_EQ(kern_memory_set_allocator(gpu0, &allocator), KERN_OK);
  pool.isEmpty = true;
  ManagedArray a = newArray(gpu0, 5000);
  refused(KERN_ERROR_MEMORY,
          {"the allocator gave no memory, asked for 4.9 KiB on cuda:0"});
  pool.isEmpty = false;
  pool.offset = 8;
  a = newArray(gpu0, 5000);
  refused(KERN_ERROR_ARGUMENT, {"not aligned to 64 bytes", "4.9 KiB"});
  EXPECT_EQ(pool.taken.size(), 1u) << "it has it back";
  EXPECT_TRUE(gpu.memory.empty());
  allocator.free = nullptr;
  status = kern_memory_set_allocator(gpu0, &allocator);
  refused(KERN_ERROR_ARGUMENT, {"no function"});
  allocator.size = 3;
  status = kern_memory_set_allocator(gpu0, &allocator);
  refused(KERN_ERROR_ARGUMENT, {"kern_memory_allocator is 3"});
}

TEST_F(MemoryPools, AnAllocatorOfPinnedMemory) {
  Pool pool;
  const kern_memory_allocator allocator = pool.get();
  ASSERT_EQ(kern_memory_set_allocator(pinned0, &allocator), KERN_OK);
  ManagedArray a = newArray(pinned0, 100);
  ASSERT_EQ(status, KERN_OK);
  EXPECT_EQ(pool.given.at(0).type, kDLCUDAHost);
  EXPECT_EQ(a->dl_tensor.data, pool.given[0].memory);
  a.reset();
  EXPECT_EQ(pool.taken.at(0).bytes, 100u);
  pool.isEmpty = true;
  a = newArray(pinned0, 100);
  refused(KERN_ERROR_MEMORY, {"gave no memory", "the host, page-locked"});
}

// Whatever another thread records; it would be spoiled else.
TEST_F(MemoryPools, PinnedMemoryWhileAStreamIsCaptured) {
  int stream = 0;
  gpu.captured = &stream;
  ManagedArray a = newArray(pinned0, 100);
  EXPECT_EQ(status, KERN_OK) << kern_last_error();
  a.reset();
  ASSERT_EQ(kern_memory_trim(pinned0), KERN_OK) << kern_last_error();
  EXPECT_TRUE(gpu.pinned.empty());
  EXPECT_EQ(gpu.captureMode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  gpu.captured = nullptr;
}

TEST_F(MemoryPools, RegisteredMemory) {
  std::vector<float> memory(100);
  ASSERT_EQ(kern_host_register(memory.data(), 400), KERN_OK);
  EXPECT_EQ(gpu.registered.size(), 1u);
  status = kern_host_register(memory.data(), 400);
  refused(KERN_ERROR_ARGUMENT, {"page-locked already"});
  ASSERT_EQ(kern_host_unregister(memory.data()), KERN_OK);
  status = kern_host_unregister(memory.data());
  refused(KERN_ERROR_ARGUMENT, {"not registered"});
  status = kern_host_register(memory.data(), 0);
  refused(KERN_ERROR_ARGUMENT, {"no bytes"});
}

TEST_F(MemoryPools, DevicesWithoutThem) {
  kern_memory_info info = {};
  info.size = sizeof info;
  status = kern_memory_describe({kDLCPU, 0}, &info);
  refused(KERN_ERROR_ARGUMENT, {"no pools of cpu"});
  status = kern_memory_trim({kDLCUDA, 4});
  refused(KERN_ERROR_NOT_FOUND, {"no device cuda:4"});
  status = kern_memory_set_limit({kDLMetal, 0}, 1);
  refused(KERN_ERROR_ARGUMENT, {"no devices"});
  info.size = 1;
  status = kern_memory_describe(gpu0, &info);
  refused(KERN_ERROR_ARGUMENT, {"kern_memory_info is 1"});
}

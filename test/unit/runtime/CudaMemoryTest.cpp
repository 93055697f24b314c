//===- CudaMemoryTest.cpp - where results on a GPU lie --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"
#include "runtime/device/cuda/BlockCache.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
using CudaMemory = GpuCaller;
}

TEST_F(CudaMemory, NewResultsTakeOneDriverCall) {
  ManagedArray a = device({1, 2, 3});
  auto add = [&](int64_t n) {
    return call("add", {value(&a->dl_tensor), weak(n)});
  };
  ASSERT_EQ(add(1), KERN_OK);
  void *first = result().data;
  results.clear();
  gpu.calls.clear();
  ASSERT_EQ(add(2), KERN_OK);
  EXPECT_EQ(gpu.total(), 1) << "memory that was freed on this stream";
  EXPECT_EQ(result().data, first);
  EXPECT_EQ(hostValues<float>(result()), (std::vector<float>{3, 4, 5}));
  // While it is in use, the next one has other memory.
  std::vector<ManagedArray> kept = std::move(results);
  ASSERT_EQ(add(3), KERN_OK);
  EXPECT_NE(result().data, first);
  EXPECT_EQ(hostValues<float>(kept[0]->dl_tensor),
            (std::vector<float>{3, 4, 5}));
}

TEST_F(CudaMemory, BlocksStayWithTheirStream) {
  ManagedArray a = device({1, 2, 3});
  auto stream = [](uintptr_t n) { return reinterpret_cast<void *>(n); };
  auto add = [&](void *on) {
    options->call.stream = on;
    EXPECT_EQ(call("add", {value(&a->dl_tensor), weak(1)}), KERN_OK)
        << kern_last_error();
    void *data = result().data;
    results.clear();
    return data;
  };
  void *onOne = add(stream(0x101)), *onTwo = add(stream(0x102));
  EXPECT_NE(onOne, onTwo) << "the first stream may still use it";
  EXPECT_EQ(add(stream(0x101)), onOne);
  EXPECT_EQ(add(stream(0x102)), onTwo);
  // What a graph uses is the driver's.
  gpu.captured = stream(0x101);
  gpu.calls.clear();
  EXPECT_NE(add(stream(0x101)), onOne);
  EXPECT_EQ(gpu.calls["cuMemAllocFromPoolAsync"], 1);
  EXPECT_EQ(gpu.calls["cuMemFreeAsync"], 1);
}

TEST_F(CudaMemory, KeptBlocksGoWhenMemoryRunsOut) {
  ManagedArray a = device({1, 2, 3});
  ASSERT_EQ(call("add", {value(&a->dl_tensor), weak(1)}), KERN_OK);
  results.clear();
  size_t kept = gpu.used;
  gpu.options.memory = kept + 100;
  std::vector<float> more(100);
  ManagedArray b = device(more); // needs what the block keeps
  EXPECT_EQ(gpu.memory.size(), 2u);
}

// A new pool's first block takes the driver far longer than any other.
TEST_F(CudaMemory, FirstSmallResultsDoNotWaitForThePool) {
  constexpr int first = cuda::StartupBlocks::maxCount;
  {
    ManagedArray a = device({1, 2, 3});
    std::vector<ManagedArray> kept;
    auto add = [&] {
      ASSERT_EQ(call("add", {value(&a->dl_tensor), weak(1)}), KERN_OK);
      kept.push_back(std::move(results.front()));
    };
    gpu.calls.clear();
    for (int i = 0; i < first; ++i)
      add();
    EXPECT_EQ(gpu.calls["cuMemAlloc"], first);
    EXPECT_EQ(gpu.calls["cuMemAllocFromPoolAsync"], 0);
    add();
    EXPECT_EQ(gpu.calls["cuMemAlloc"], first);
    EXPECT_EQ(gpu.calls["cuMemAllocFromPoolAsync"], 1);
    // Freed, all of them serve again.
    kept.clear();
    gpu.calls.clear();
    for (int i = 0; i <= first; ++i)
      add();
    EXPECT_EQ(gpu.total(), first + 1) << "the launches";
    results.clear();
  }
  // Memory of both kinds goes back in its own way.
  gpu.options.memory = gpu.used;
  ManagedArray b = device({1});
  EXPECT_EQ(gpu.memory.size(), 1u);
}

// What is too large for a block is the pool's, also of a context's first.
TEST_F(CudaMemory, LargeResultsAreThePools) {
  constexpr size_t maxElements = cuda::BlockCache::largest / sizeof(float);
  ManagedArray a = device(std::vector<float>(maxElements)),
               b = device(std::vector<float>(maxElements + 1));
  size_t arrays = gpu.memory.size();
  auto add = [&](const ManagedArray &x) {
    gpu.calls.clear();
    ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK);
    results.clear();
  };
  add(a);
  EXPECT_EQ(gpu.calls["cuMemAlloc"], 1);
  EXPECT_EQ(gpu.calls["cuMemAllocFromPoolAsync"], 0);
  EXPECT_EQ(gpu.memory.size(), arrays + 1) << "the block is kept";
  add(b);
  EXPECT_EQ(gpu.calls["cuMemAlloc"], 0);
  EXPECT_EQ(gpu.calls["cuMemAllocFromPoolAsync"], 1);
  EXPECT_EQ(gpu.calls["cuMemFreeAsync"], 1);
  EXPECT_EQ(gpu.memory.size(), arrays + 1);
}

TEST_F(CudaMemory, AGraphMadeOnAnotherStreamIsNotSpoilt) {
  ManagedArray a = device({1, 2, 3});
  size_t arrays = gpu.memory.size();
  int stream = 0;
  gpu.captured = &stream;
  {
    ManagedArray b = device({1});
    EXPECT_EQ(gpu.memory.size(), arrays + 1);
  }
  EXPECT_EQ(gpu.memory.size(), arrays);
  EXPECT_EQ(call("add", {value(&a->dl_tensor), weak(1)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(gpu.captureMode, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

// Locking pages takes time: a process that moves little locks little.
TEST_F(CudaMemory, SmallTransfersLockLittleMemory) {
  auto locked = [&] {
    size_t bytes = 0;
    for (const auto &[pointer, storage] : gpu.pinned)
      bytes += storage.size();
    return bytes;
  };
  auto thereAndBack = [&](size_t n) {
    std::vector<float> values = iota<float>(n, 1);
    return hostValues<float>(device(values)->dl_tensor) == values;
  };
  EXPECT_TRUE(thereAndBack(3));
  EXPECT_EQ(locked(), size_t(2) << 16);
  EXPECT_TRUE(thereAndBack(100000)) << "what is there grows";
  EXPECT_EQ(locked(), size_t(2) << 22);
  EXPECT_EQ(gpu.pinned.size(), 2u);
  EXPECT_TRUE(thereAndBack(3000000)) << "in several chunks";
  EXPECT_EQ(locked(), size_t(2) << 22);
}

TEST(BlockCache, KeepsWhatItIsGiven) {
  using cuda::BlockCache;
  BlockCache cache;
  EXPECT_EQ(BlockCache::blockSize(1), 512u);
  EXPECT_EQ(BlockCache::blockSize(513), 1024u);
  EXPECT_EQ(BlockCache::blockSize(BlockCache::largest), BlockCache::largest);
  EXPECT_EQ(cache.take(7, 512).pointer, 0u);
  EXPECT_TRUE(cache.give(7, 512, {100, true}));
  EXPECT_EQ(cache.take(8, 512).pointer, 0u);
  EXPECT_EQ(cache.take(7, 1024).pointer, 0u);
  cuda::Block block = cache.take(7, 512);
  EXPECT_EQ(block.pointer, 100u);
  EXPECT_TRUE(block.isPooled);
  EXPECT_EQ(cache.take(7, 512).pointer, 0u);
  size_t given = 0;
  for (unsigned long long stream = 1; stream < 1000; ++stream)
    given += cache.give(stream, BlockCache::largest, {stream});
  EXPECT_EQ(given, BlockCache::maxBytes / BlockCache::largest);
  EXPECT_EQ(cache.drain().size(), given);
  EXPECT_EQ(cache.take(1, BlockCache::largest).pointer, 0u);
  EXPECT_TRUE(cache.give(1, BlockCache::largest, {5}));
}

//===- StreamOrderTest.cpp - calls on several streams ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StreamOrder.h"
#include "runtime/device/cuda/BlockCache.h"

using namespace kern::runtime;
using namespace kern::test;

INSTANTIATE_TEST_SUITE_P(, StreamOrder,
                         testing::Values(Whose::Callers, Whose::Borrowed,
                                         Whose::Kerns));

TEST_P(StreamOrder, AReaderComesAfterTheWriter) {
  ManagedArray x = device({1, 2});
  OneStream first(gpu, GetParam()), second(gpu, GetParam());
  ManagedArray y = add(first.get(), x), z = add(second.get(), y);
  gpu.streams.synchronize(second.get());
  EXPECT_EQ(now(z), (Floats{3, 4}));
  // And again, now that both are known.
  addInto(first.get(), z, y);
  addInto(second.get(), y, z);
  gpu.streams.synchronize(second.get());
  EXPECT_EQ(now(z), (Floats{5, 6}));
}

TEST_P(StreamOrder, AWriterComesAfterTheReaders) {
  ManagedArray x = device({1, 2}), out = device({0, 0});
  OneStream first(gpu, GetParam()), second(gpu, GetParam()),
      third(gpu, GetParam());
  ManagedArray y = add(first.get(), x);
  ManagedArray a = add(second.get(), y), b = add(third.get(), y);
  addInto(first.get(), out, y); // y = 0 + 1
  gpu.streams.synchronize(first.get());
  EXPECT_EQ(now(y), (Floats{1, 1}));
  EXPECT_EQ(now(a), (Floats{3, 4})) << "read before it was overwritten";
  EXPECT_EQ(now(b), (Floats{3, 4}));
}

TEST_P(StreamOrder, ReadersDoNotWaitForEachOther) {
  ManagedArray x = device({1, 2});
  OneStream first(gpu, GetParam()), second(gpu, GetParam());
  add(first.get(), x);
  ManagedArray a = add(second.get(), x); // both are known from here on
  addInto(first.get(), x, a);
  gpu.calls.clear();
  ManagedArray b = add(first.get(), x), c = add(second.get(), x);
  EXPECT_EQ(gpu.calls["cuStreamWaitEvent"], 0);
}

// Of a plain handle it is asked whether it is captured, and which stream it is.
TEST_P(StreamOrder, OneStreamRecordsNothing) {
  ManagedArray x = device({1, 2});
  OneStream stream(gpu, GetParam());
  ManagedArray y = add(stream.get(), x);
  addInto(stream.get(), x, y); // plans the call
  gpu.calls.clear();
  for (int i = 0; i < 10; ++i)
    addInto(stream.get(), x, y);
  const int asked = GetParam() == Whose::Callers ? 20 : 0;
  EXPECT_EQ(gpu.total(), 10 + asked);
  EXPECT_EQ(gpu.calls["cuEventRecord"], 0);
}

TEST_P(StreamOrder, TheDefaultStreamAloneAsksNothing) {
  ManagedArray x = device({1, 2}), y = add(nullptr, x);
  addInto(nullptr, x, y);
  add(nullptr, x);
  gpu.calls.clear();
  for (int i = 0; i < 10; ++i) {
    addInto(nullptr, x, y);
    add(nullptr, x); // its memory is a block that is kept
  }
  EXPECT_EQ(gpu.total(), 20) << "the launches";
}

TEST_P(StreamOrder, KnownStreamsRecordOnlyWhatIsWaitedFor) {
  if (GetParam() == Whose::Callers)
    GTEST_SKIP();
  OneStream first(gpu, GetParam()), second(gpu, GetParam());
  ManagedArray x = device({1, 2}), a = add(first.get(), x),
               b = add(second.get(), x), c = add(nullptr, x);
  addInto(first.get(), x, a); // plans the call
  // Memory that is not Kern's is looked up in vain.
  CUdeviceptr others = 0;
  ASSERT_EQ(gpu.allocate(&others, 8, nullptr), CUDA_SUCCESS);
  Tensor<float> foreign(reinterpret_cast<float *>(others), {2}, {},
                        {kDLCUDA, 0});
  auto callAll = [&] {
    addInto(first.get(), x, a);
    addInto(second.get(), x, b);
    addInto(nullptr, x, c);
    options->call.stream = first.get();
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {foreign.get()}),
              KERN_OK)
        << kern_last_error();
  };
  callAll(); // plans the last one
  gpu.calls.clear();
  for (int i = 0; i < 10; ++i)
    callAll();
  EXPECT_EQ(gpu.total(), 40) << "the launches";
  gpu.streams.synchronize(first.get());
  gpu.release(others);
}

// A plain handle's call in between costs the others nothing.
TEST_P(StreamOrder, OfAPlainHandleEachCallIsMarked) {
  if (GetParam() == Whose::Callers)
    GTEST_SKIP();
  OneStream known(gpu, GetParam()), plain(gpu, Whose::Callers);
  ManagedArray x = device({1, 2}), a = add(known.get(), x),
               b = add(plain.get(), x);
  addInto(known.get(), x, a);
  addInto(plain.get(), x, b);
  gpu.calls.clear();
  addInto(known.get(), x, a);
  EXPECT_EQ(gpu.total(), 1);
  gpu.calls.clear();
  addInto(plain.get(), x, b);
  EXPECT_EQ(gpu.calls["cuStreamIsCapturing"], 1);
  EXPECT_EQ(gpu.calls["cuStreamGetId"], 1);
  EXPECT_EQ(gpu.calls["cuEventRecord"], 1);
  EXPECT_EQ(gpu.total(), 6) << "the launch, and a context pushed and popped";
}

// What a thread remembers of an array ends with it: another one has its memory.
TEST_P(StreamOrder, WhatIsRememberedOfAnArrayEndsWithIt) {
  ManagedArray x = device({1, 2});
  OneStream first(gpu, GetParam()), second(gpu, GetParam());
  add(second.get(), x);
  for (int i = 0; i < 3; ++i) {
    ManagedArray y = add(first.get(), x); // the same block each time
    ManagedArray z = add(second.get(), y);
    gpu.streams.synchronize(second.get());
    EXPECT_EQ(now(z), (Floats{3, 4}));
    addInto(first.get(), x, x); // the second stream has read it
    addInto(second.get(), x, z);
    gpu.streams.synchronize(second.get());
    EXPECT_EQ(now(z), (Floats{3, 4}));
    x = device({1, 2});
  }
}

// The stream ends first. Nothing may touch it any more, and the memory is not
// reused before its last use.
TEST_P(StreamOrder, StreamsEndBeforeTheirArrays) {
  for (size_t n : {size_t(2), cuda::BlockCache::largest / sizeof(float) + 1}) {
    SCOPED_TRACE(n);
    ManagedArray x = device(std::vector<float>(n, 1));
    OneStream first(gpu, GetParam()), second(gpu, GetParam());
    ManagedArray y = add(first.get(), x), z = add(second.get(), y);
    first.end();
    ManagedArray again = add(second.get(), y);
    second.end();
    OneStream third(gpu, GetParam());
    ManagedArray last = add(third.get(), again);
    y.reset();
    gpu.streams.synchronize(third.get());
    EXPECT_EQ(now(last).back(), 4);
    third.end();
    last.reset();
    again.reset();
    z.reset();
  }
  if (auto context = cuda::Platform::current()->context(0)) {
    cuda::ContextScope scope(**context);
    EXPECT_TRUE((*context)->releaseUnused());
    EXPECT_TRUE(gpu.memory.empty());
  }
}

TEST_P(StreamOrder, TheOnlyStreamEndsBeforeItsArrays) {
  for (size_t n : {size_t(2), cuda::BlockCache::largest / sizeof(float) + 1}) {
    SCOPED_TRACE(n);
    ManagedArray x = device(std::vector<float>(n, 1));
    OneStream stream(gpu, GetParam());
    ManagedArray y = add(stream.get(), x), z = add(stream.get(), y);
    stream.end();
    y.reset();
    EXPECT_EQ(now(z).back(), 3);
    OneStream another(gpu, GetParam());
    z = add(another.get(), z);
    gpu.streams.synchronize(another.get());
    EXPECT_EQ(now(z).back(), 4);
  }
}

TEST_P(StreamOrder, AnotherStreamMayHaveTheHandle) {
  if (GetParam() == Whose::Kerns)
    GTEST_SKIP();
  ManagedArray x = device({1, 2});
  OneStream stream(gpu, GetParam());
  ManagedArray y = add(stream.get(), x);
  stream.endAndBeginAnew();
  gpu.calls.clear();
  ManagedArray z = add(stream.get(), y);
  EXPECT_GT(gpu.calls["cuCtxSynchronize"] + gpu.calls["cuStreamWaitEvent"], 0);
  gpu.streams.synchronize(stream.get());
  EXPECT_EQ(now(z), (Floats{3, 4}));
}

// What is freed while another stream reads it is not given to its own stream's
// next result.
TEST_P(StreamOrder, MemoryIsFreeAfterItsLastUseElsewhere) {
  ManagedArray x = device({1, 2}), out = device({5, 5});
  OneStream first(gpu, GetParam()), second(gpu, GetParam());
  ManagedArray warm = add(second.get(), x);
  ManagedArray y = add(first.get(), x), z = add(second.get(), y);
  y.reset();
  ManagedArray other = add(first.get(), out); // 6, 6
  gpu.streams.synchronize(first.get());
  gpu.streams.synchronize(second.get());
  EXPECT_EQ(now(z), (Floats{3, 4}));
}

TEST_P(StreamOrder, AssignmentsComeAfterReaders) {
  ManagedArray x = device({1, 2});
  OneStream stream(gpu, GetParam());
  ManagedArray y = add(stream.get(), x);
  Floats other = {8, 9};
  ASSERT_EQ(
      kern_array_assign(&x->dl_tensor, Tensor<float>(other.data(), {2}).get()),
      KERN_OK);
  gpu.streams.synchronize(stream.get());
  EXPECT_EQ(now(y), (Floats{2, 3}));
}

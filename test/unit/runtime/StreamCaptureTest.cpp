//===- StreamCaptureTest.cpp - calls while graphs are recorded ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StreamOrder.h"
#include "kern/memory.h"
#include "runtime/device/cuda/BlockCache.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
class StreamCapture : public StreamOrder {};
} // namespace

INSTANTIATE_TEST_SUITE_P(, StreamCapture,
                         testing::Values(Whose::Callers, Whose::Borrowed,
                                         Whose::Kerns));

TEST_P(StreamCapture, CapturedCallsAreLeftAlone) {
  ManagedArray x = device({1, 2});
  OneStream first(gpu, GetParam()), second(gpu, GetParam());
  ManagedArray y = add(first.get(), x), z = add(second.get(), x);
  gpu.captured = second.get();
  gpu.calls.clear();
  addInto(second.get(), y, z);
  EXPECT_EQ(gpu.calls["cuEventRecord"], 0);
  EXPECT_EQ(gpu.calls["cuStreamWaitEvent"], 0);
  gpu.captured = nullptr;
  // What was recorded is not taken for done: y was read by the first stream
  // alone, and x by both.
  ManagedArray w = add(first.get(), y);
  gpu.captured = second.get();
  addInto(second.get(), x, y);
  gpu.captured = nullptr;
  OneStream third(gpu, GetParam());
  addInto(third.get(), x, y); // after the first stream's read of y
  gpu.streams.synchronize(third.get());
  EXPECT_EQ(now(w), (Floats{3, 4}));
  gpu.captured = second.get();
  // Nor does a mark in a graph draw another stream into it.
  addInto(first.get(), x, z);
  EXPECT_TRUE(gpu.capturedEvents.empty());
  EXPECT_FALSE(gpu.isSpoiled);
  gpu.captured = nullptr;
}

// The driver does not tell which stream one is that is captured.
TEST_P(StreamCapture, CapturedStreamsAreNotAskedWhichTheyAre) {
  for (bool hasSeveral : {false, true}) {
    SCOPED_TRACE(hasSeveral);
    ManagedArray x = device({1, 2}), out = device({0, 0});
    OneStream stream(gpu, GetParam()), other(gpu, GetParam());
    addInto(stream.get(), x, out);
    if (hasSeveral)
      addInto(other.get(), x, out);
    gpu.captured = stream.get();
    addInto(stream.get(), x, out);
    {
      ManagedArray made = add(stream.get(), x);
    }
    EXPECT_FALSE(gpu.isSpoiled);
    kern_stream *view = nullptr;
    if (GetParam() == Whose::Callers) {
      EXPECT_EQ(kern_stream_borrow({kDLCUDA, 0}, stream.get(), &view),
                KERN_ERROR_ARGUMENT);
      EXPECT_NE(std::string(kern_last_error()).find("being captured"),
                std::string::npos);
    }
    EXPECT_FALSE(gpu.isSpoiled);
    gpu.captured = nullptr;
    addInto(stream.get(), x, out);
    gpu.streams.synchronize(stream.get());
    EXPECT_EQ(now(out), (Floats{2, 3}));
  }
}

// What was made on a stream may end while a graph is recorded there, which
// cannot free it.
TEST_P(StreamCapture, ArraysEndWhileTheirStreamIsCaptured) {
  for (size_t n : {size_t(2), cuda::BlockCache::largest / sizeof(float) + 1}) {
    SCOPED_TRACE(n);
    OneStream stream(gpu, GetParam()), other(gpu, GetParam());
    ManagedArray x = device(std::vector<float>(n, 1));
    ManagedArray y = add(stream.get(), x), z = add(other.get(), x);
    gpu.captured = stream.get();
    y.reset();
    EXPECT_FALSE(gpu.isSpoiled);
    gpu.captured = nullptr;
  }
  auto context = cuda::Platform::current()->context(0);
  ASSERT_TRUE(context);
  cuda::ContextScope scope(**context);
  EXPECT_TRUE((*context)->releaseUnused());
  EXPECT_TRUE(gpu.memory.empty());
}

// Another thread records a graph in the strictest mode: nothing that this one
// does may spoil it.
TEST_P(StreamCapture, NothingSpoilsAnothersGraph) {
  int others = 0;
  ManagedArray x = device({1, 2});
  gpu.captured = &others;
  std::vector<float> host = {5, 6};
  {
    OneStream first(gpu, GetParam()), second(gpu, GetParam());
    Caller fresh; // its code is loaded here, and unloaded
    fresh.options = options;
    fresh.options->call.stream = first.get();
    ASSERT_EQ(fresh.call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK)
        << kern_last_error();
    ManagedArray y = add(second.get(), fresh.results.front());
    fresh.results.clear();
    ASSERT_EQ(
        kern_array_assign(&y->dl_tensor, Tensor<float>(host.data(), {2}).get()),
        KERN_OK)
        << kern_last_error();
    kern_stream *stream = nullptr;
    kern_event *event = nullptr;
    ASSERT_EQ(kern_stream_new({kDLCUDA, 0}, &stream), KERN_OK);
    ASSERT_EQ(kern_event_new({kDLCUDA, 0}, 0, &event), KERN_OK);
    EXPECT_EQ(kern_event_record(event, stream), KERN_OK);
    int is = 0;
    EXPECT_EQ(kern_stream_query(stream, &is), KERN_OK) << kern_last_error();
    EXPECT_EQ(kern_event_query(event, &is), KERN_OK) << kern_last_error();
    EXPECT_EQ(kern_event_synchronize(event), KERN_OK) << kern_last_error();
    EXPECT_EQ(kern_stream_synchronize(stream), KERN_OK) << kern_last_error();
    EXPECT_EQ(kern_host_register(host.data(), 8), KERN_OK) << kern_last_error();
    EXPECT_EQ(kern_host_unregister(host.data()), KERN_OK) << kern_last_error();
    EXPECT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK) << kern_last_error();
    kern_event_release(event);
    kern_stream_release(stream);
  }
  EXPECT_EQ(kern_memory_trim({kDLCUDA, 0}), KERN_OK) << kern_last_error();
  EXPECT_FALSE(gpu.isSpoiled);
  EXPECT_EQ(gpu.captureMode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  gpu.captured = nullptr;
}

//===- StreamOrderTest.cpp - calls on several streams ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The double runs what is on a stream when it is waited for, and no earlier:
// without an order, a call finds what its arrays held before. It crashes where
// a stream is used that has ended.
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"
#include "kern/streams.h"
#include "runtime/device/cuda/BlockCache.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// A stream of a test: the caller's own, or one that Kern knows of.
enum class Whose : uint8_t { Callers, Borrowed, Kerns };

class OneStream {
public:
  OneStream(FakeDriver &gpu, Whose whose) : gpu(gpu), whose(whose) {
    static uintptr_t next = 0x5000;
    if (whose != Whose::Kerns) {
      handle = reinterpret_cast<CUstream>(++next);
      gpu.streams.create(handle);
    }
    if (whose == Whose::Kerns)
      EXPECT_EQ(kern_stream_new({kDLCUDA, 0}, &object), KERN_OK);
    else if (whose == Whose::Borrowed)
      EXPECT_EQ(kern_stream_borrow({kDLCUDA, 0}, handle, &object), KERN_OK);
    if (whose == Whose::Kerns)
      handle = static_cast<CUstream>(kern_stream_handle(object));
  }
  OneStream(const OneStream &) = delete;
  OneStream &operator=(const OneStream &) = delete;
  ~OneStream() { end(); }
  void end() {
    if (!handle)
      return;
    kern_stream_release(object);
    if (whose != Whose::Kerns)
      gpu.streams.destroy(handle);
    handle = nullptr;
  }
  /// Another stream with the same handle.
  void endAndBeginAnew() {
    CUstream same = handle;
    end();
    gpu.streams.create(handle = same);
    object = nullptr;
    whose = Whose::Callers;
  }
  CUstream get() const { return handle; }

private:
  FakeDriver &gpu;
  Whose whose;
  CUstream handle = nullptr;
  kern_stream *object = nullptr;
};

class StreamOrder : public testing::TestWithParam<Whose>,
                    public WithGpu,
                    public Caller {
protected:
  StreamOrder() { options = onTheGpu(); }
  ManagedArray device(std::vector<float> values) {
    DLManagedTensor *copy = nullptr;
    EXPECT_EQ(kern_array_copy(
                  Tensor<float>(values.data(), {int64_t(values.size())}).get(),
                  {kDLCUDA, 0}, &copy),
              KERN_OK);
    return ManagedArray(copy);
  }
  /// x + 1, on a stream.
  ManagedArray add(CUstream stream, const ManagedArray &x) {
    options->call.stream = stream;
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK)
        << kern_last_error();
    ManagedArray made = std::move(results.front());
    results.clear();
    return made;
  }
  void addInto(CUstream stream, const ManagedArray &x,
               const ManagedArray &out) {
    options->call.stream = stream;
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {&out->dl_tensor}),
              KERN_OK)
        << kern_last_error();
  }
  /// What the memory holds now, without waiting.
  std::vector<float> now(const ManagedArray &array) {
    auto *at = gpu.at<float>(
        int64_t(reinterpret_cast<uintptr_t>(array->dl_tensor.data)));
    return {at, at + array->dl_tensor.shape[0]};
  }
  using Floats = std::vector<float>;
};
} // namespace

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

TEST_P(StreamOrder, OneStreamRecordsNothing) {
  ManagedArray x = device({1, 2});
  OneStream stream(gpu, GetParam());
  ManagedArray y = add(stream.get(), x);
  addInto(stream.get(), x, y); // plans the call
  gpu.calls.clear();
  for (int i = 0; i < 10; ++i)
    addInto(stream.get(), x, y);
  const int ids = GetParam() == Whose::Callers ? 10 : 0;
  EXPECT_EQ(gpu.total(), 10 + ids) << "the launches, and whose stream it is";
  EXPECT_EQ(gpu.calls["cuEventRecord"], 0);
}

TEST_P(StreamOrder, KnownStreamsRecordOnlyWhatIsWaitedFor) {
  if (GetParam() == Whose::Callers)
    GTEST_SKIP();
  OneStream first(gpu, GetParam()), second(gpu, GetParam());
  ManagedArray x = device({1, 2}), a = add(first.get(), x),
               b = add(second.get(), x);
  addInto(first.get(), x, a); // plans the call
  gpu.calls.clear();
  for (int i = 0; i < 10; ++i) {
    addInto(first.get(), x, a);
    addInto(second.get(), x, b);
  }
  EXPECT_EQ(gpu.total(), 20) << "the launches";
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

TEST_P(StreamOrder, CapturedCallsAreLeftAlone) {
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
  gpu.captured = nullptr;
}

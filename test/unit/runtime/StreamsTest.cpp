//===- StreamsTest.cpp - streams, events, and default devices -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/streams.h"
#include "GpuCaller.h"

#include <thread>

using namespace kern::runtime;
using namespace kern::test;

namespace {
using StreamHandle =
    std::unique_ptr<kern_stream, decltype(&kern_stream_release)>;
using EventHandle = std::unique_ptr<kern_event, decltype(&kern_event_release)>;

const kern_device gpu0 = {kDLCUDA, 0}, cpu = {kDLCPU, 0};

StreamHandle newStream(kern_device device = gpu0) {
  kern_stream *made = nullptr;
  EXPECT_EQ(kern_stream_new(device, &made), KERN_OK) << kern_last_error();
  return {made, kern_stream_release};
}
EventHandle newEvent(bool isTimed = false, kern_device device = gpu0) {
  kern_event *made = nullptr;
  EXPECT_EQ(kern_event_new(device, isTimed, &made), KERN_OK)
      << kern_last_error();
  return {made, kern_event_release};
}
void expectError(kern_status expected, kern_status status, const char *what) {
  EXPECT_EQ(status, expected);
  EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
      << kern_last_error();
}

class Streams : public GpuCaller {
protected:
  Streams() : GpuCaller() {}
  bool isComplete(const StreamHandle &stream) {
    int answer = -1;
    EXPECT_EQ(kern_stream_query(stream.get(), &answer), KERN_OK);
    return answer == 1;
  }
  bool isComplete(const EventHandle &event) {
    int answer = -1;
    EXPECT_EQ(kern_event_query(event.get(), &answer), KERN_OK);
    return answer == 1;
  }
  /// out = x + 1.
  void add(const StreamHandle &stream, const ManagedArray &x,
           const ManagedArray &out) {
    options->call.stream = kern_stream_handle(stream.get());
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {&out->dl_tensor}),
              KERN_OK)
        << kern_last_error();
  }
};
} // namespace

TEST_F(Streams, CallsRunWhenTheStreamDoes) {
  ManagedArray x = device({1, 2}), out = device({0, 0});
  StreamHandle stream = newStream();
  EXPECT_NE(kern_stream_handle(stream.get()), nullptr);
  EXPECT_EQ(kern_stream_device(stream.get()).device_type, kDLCUDA);
  EXPECT_TRUE(isComplete(stream));
  add(stream, x, out);
  EXPECT_FALSE(isComplete(stream));
  ASSERT_EQ(kern_stream_synchronize(stream.get()), KERN_OK);
  EXPECT_TRUE(isComplete(stream));
  EXPECT_EQ(hostValues<float>(out->dl_tensor), (std::vector<float>{2, 3}));
}

TEST_F(Streams, EventsMarkWhatComesBefore) {
  ManagedArray x = device({1, 2}), a = device({0, 0}), b = device({0, 0});
  StreamHandle stream = newStream();
  EventHandle event = newEvent();
  EXPECT_TRUE(isComplete(event)) << "it marks nothing";
  EXPECT_EQ(kern_event_synchronize(event.get()), KERN_OK);
  add(stream, x, a);
  ASSERT_EQ(kern_event_record(event.get(), stream.get()), KERN_OK);
  add(stream, x, b);
  EXPECT_FALSE(isComplete(event));
  ASSERT_EQ(kern_event_synchronize(event.get()), KERN_OK);
  EXPECT_TRUE(isComplete(event));
  EXPECT_FALSE(isComplete(stream)) << "what came after it";
}

TEST_F(Streams, AStreamWaitsForAnEvent) {
  // The memory is not Kern's, so that nothing else orders the streams.
  std::vector<std::byte> storage(64);
  CUdeviceptr pointer = 0;
  ASSERT_EQ(gpu.allocate(&pointer, 8, nullptr), CUDA_SUCCESS);
  Tensor<float> between(reinterpret_cast<float *>(pointer), {2}, {}, gpu0);
  ManagedArray x = device({1, 2}), out = device({0, 0});
  StreamHandle first = newStream(), second = newStream();
  EventHandle event = newEvent();
  options->call.stream = kern_stream_handle(first.get());
  ASSERT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {between.get()}),
            KERN_OK);
  ASSERT_EQ(kern_event_record(event.get(), first.get()), KERN_OK);
  ASSERT_EQ(kern_stream_wait_event(second.get(), event.get()), KERN_OK);
  options->call.stream = kern_stream_handle(second.get());
  ASSERT_EQ(call("add", {value(between.get()), weak(1)}, {&out->dl_tensor}),
            KERN_OK);
  ASSERT_EQ(kern_stream_synchronize(second.get()), KERN_OK);
  EXPECT_EQ(hostValues<float>(out->dl_tensor), (std::vector<float>{3, 4}));
  gpu.release(pointer);
}

TEST_F(Streams, TimedEventsMeasure) {
  StreamHandle stream = newStream();
  EventHandle begin = newEvent(true), end = newEvent(true), plain = newEvent();
  ASSERT_EQ(kern_event_record(begin.get(), stream.get()), KERN_OK);
  ASSERT_EQ(kern_event_record(plain.get(), stream.get()), KERN_OK);
  ASSERT_EQ(kern_event_record(end.get(), stream.get()), KERN_OK);
  float milliseconds = -1;
  ASSERT_EQ(kern_event_elapsed(begin.get(), end.get(), &milliseconds), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(milliseconds, 2) << "the double counts marks";
  expectError(KERN_ERROR_ARGUMENT,
              kern_event_elapsed(begin.get(), plain.get(), &milliseconds),
              "not timed");
}

TEST_F(Streams, ViewsLeaveTheStreamToTheCaller) {
  auto *const handle = reinterpret_cast<CUstream>(0x501);
  gpu.streams.create(handle);
  {
    kern_stream *made = nullptr;
    ASSERT_EQ(kern_stream_borrow(gpu0, handle, &made), KERN_OK);
    StreamHandle one(made, kern_stream_release);
    ASSERT_EQ(kern_stream_borrow(gpu0, handle, &made), KERN_OK);
    StreamHandle other(made, kern_stream_release);
    EXPECT_EQ(kern_stream_handle(one.get()), handle);
    one.reset();
    EXPECT_EQ(kern_stream_synchronize(other.get()), KERN_OK);
    ASSERT_EQ(kern_stream_borrow(gpu0, nullptr, &made), KERN_OK);
    StreamHandle standard(made, kern_stream_release);
    EXPECT_EQ(kern_stream_handle(standard.get()), nullptr);
  }
  EXPECT_EQ(gpu.streams.count(), 1);
}

TEST_F(Streams, DevicesWithoutStreams) {
  kern_stream *stream = nullptr;
  kern_event *event = nullptr;
  expectError(KERN_ERROR_ARGUMENT, kern_stream_new(cpu, &stream),
              "cpu has no streams");
  expectError(KERN_ERROR_NOT_FOUND, kern_stream_new({kDLCUDA, 7}, &stream),
              "no device cuda:7");
  expectError(KERN_ERROR_ARGUMENT, kern_event_new({kDLMetal, 0}, 0, &event),
              "no devices");
  EXPECT_EQ(stream, nullptr);
}

TEST(StreamsOfTwo, DevicesDoNotMix) {
  FakeDriver gpus({2});
  StreamHandle one = newStream(), other = newStream({kDLCUDA, 1});
  EventHandle event = newEvent(true), there = newEvent(true, {kDLCUDA, 1});
  expectError(KERN_ERROR_ARGUMENT, kern_event_record(event.get(), other.get()),
              "of cuda:0, and what it is used with is of cuda:1");
  ASSERT_EQ(kern_event_record(event.get(), one.get()), KERN_OK);
  EXPECT_EQ(kern_stream_wait_event(other.get(), event.get()), KERN_OK)
      << "a stream may wait for another GPU";
  float milliseconds = 0;
  expectError(KERN_ERROR_ARGUMENT,
              kern_event_elapsed(event.get(), there.get(), &milliseconds),
              "cuda:1");
}

TEST_F(Streams, ScopesAreTheThreadsDefault) {
  options.reset();
  std::vector<float> host = {1, 2};
  Tensor<float> x(host.data(), {2});
  auto ranOn = [&] {
    gpu.launches.clear();
    EXPECT_EQ(call("add", {value(x.get()), weak(1)}), KERN_OK)
        << kern_last_error();
    EXPECT_EQ(result().device.device_type, kDLCPU);
    EXPECT_EQ(valuesOf<float>(result()), (std::vector<float>{2, 3}));
    return kernelLaunches().empty() ? kDLCPU : kDLCUDA;
  };
  EXPECT_EQ(ranOn(), kDLCPU);
  ASSERT_EQ(kern_device_scope_enter(gpu0), KERN_OK);
  EXPECT_EQ(kern_default_device().device_type, kDLCUDA);
  EXPECT_EQ(ranOn(), kDLCUDA) << "although the call was planned for the CPU";
  std::thread([] {
    EXPECT_EQ(kern_default_device().device_type, kDLCPU) << "another thread";
  }).join();
  ASSERT_EQ(kern_device_scope_enter({kDLCUDAHost, 0}), KERN_OK);
  EXPECT_EQ(kern_device_scope_current().device_type, kDLCUDAHost);
  EXPECT_EQ(kern_default_device().device_type, kDLCPU);
  EXPECT_EQ(ranOn(), kDLCPU);
  kern_device_scope_leave();
  EXPECT_EQ(ranOn(), kDLCUDA);
  options = onTheHost();
  EXPECT_EQ(ranOn(), kDLCPU) << "what a call asks for comes first";
  options.reset();
  kern_device_scope_leave();
  kern_device_scope_leave(); // there is none
  EXPECT_EQ(ranOn(), kDLCPU);
  expectError(KERN_ERROR_NOT_FOUND, kern_device_scope_enter({kDLCUDA, 3}),
              "no device cuda:3");
  EXPECT_EQ(kern_device_scope_current().device_type, kDLCPU);
}

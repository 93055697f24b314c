//===- StreamThreadsTest.cpp - many threads on many streams ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads remember of streams and arrays, while others make and end some.
// ThreadSanitizer runs these too.
//
//===----------------------------------------------------------------------===//
#include "StreamOrder.h"

#include <thread>

using namespace kern::runtime;
using namespace kern::test;

namespace {
kern_value arrayOf(const ManagedArray &array) {
  return value(&array->dl_tensor);
}

ManagedArray onGpu(std::vector<float> values) {
  DLManagedTensor *copy = nullptr;
  EXPECT_EQ(kern_array_copy(
                Tensor<float>(values.data(), {int64_t(values.size())}).get(),
                {kDLCUDA, 0}, &copy),
            KERN_OK);
  return ManagedArray(copy);
}

/// A thread's calls on two streams of its own: sums that grow by what all
/// threads read, and by a result that another stream has made.
class Worker {
public:
  Worker(kern_function *add, const ManagedArray &one)
      : add(add), one(one), sums{onGpu({0, 0}), onGpu({0, 0})} {
    for (kern_stream *&stream : streams)
      EXPECT_EQ(kern_stream_new({kDLCUDA, 0}, &stream), KERN_OK);
  }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;
  ~Worker() {
    for (kern_stream *stream : streams)
      kern_stream_release(stream);
  }
  void run(int turns) {
    for (int i = 0; i < turns; ++i) {
      const auto k = size_t(i % 2);
      call(k, arrayOf(sums[k]), arrayOf(one), &sums[k]->dl_tensor);
      if (i % 3)
        continue;
      ManagedArray made = call(k, arrayOf(one), weak(1), nullptr); // 2
      call(1 - k, arrayOf(sums[1 - k]), arrayOf(made), &sums[1 - k]->dl_tensor);
      if (i % 9 == 0) { // another stream comes and goes
        kern_stream *brief = nullptr;
        EXPECT_EQ(kern_stream_new({kDLCUDA, 0}, &brief), KERN_OK);
        std::swap(brief, streams[k]);
        kern_stream_release(brief);
      }
    }
  }
  float total() const {
    float out = 0;
    for (const ManagedArray &sum : sums) {
      DLManagedTensor *copy = nullptr;
      EXPECT_EQ(kern_array_copy(&sum->dl_tensor, {kDLCPU, 0}, &copy), KERN_OK);
      const ManagedArray owner(copy);
      const std::vector<float> values = valuesOf<float>(copy->dl_tensor);
      EXPECT_EQ(values[0], values[1]);
      out += values[0];
    }
    return out;
  }

private:
  ManagedArray call(size_t stream, kern_value x, kern_value y,
                    const DLTensor *out) {
    kern_call_request options = onTheGpu();
    options.call.stream = kern_stream_handle(streams[stream]);
    const kern_value inputs[] = {x, y};
    DLManagedTensor *made = nullptr;
    EXPECT_EQ(kern_call(add, inputs, 2, &out, &made, 1, &options.call, nullptr),
              KERN_OK)
        << kern_last_error();
    return ManagedArray(made);
  }
  kern_function *add;
  const ManagedArray &one;
  ManagedArray sums[2];
  kern_stream *streams[2] = {};
};
} // namespace

TEST(StreamThreads, EachRemembersWhatHolds) {
  constexpr int threads = 6, turns = 90;
  FakeDriver gpu;
  gpu.keepsLaunches = false;
  Caller caller;
  kern_function *add = caller.find("add");
  const ManagedArray one = onGpu({1, 1});
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < threads; ++i)
    workers.push_back(std::make_unique<Worker>(add, one));
  {
    std::vector<std::jthread> running;
    for (const auto &worker : workers)
      running.emplace_back([&worker] { worker->run(turns); });
  }
  for (const auto &worker : workers)
    EXPECT_EQ(worker->total(), turns + 2 * (turns / 3));
}

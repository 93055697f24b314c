//===- ObjectFailureTest.cpp - faults in scenes with GPU objects ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each scene is played with its first driver call failing, then with its
// second, until none fails; then the same with allocations on the host. After a
// fault the message says what was tried, the scene succeeds, and nothing is
// left when the device is closed.
//
//===----------------------------------------------------------------------===//
#include "AllocationCount.h"
#include "Arrays.h"
#include "FakeDriver.h"
#include "kern/graphs.h"
#include "kern/memory.h"

#include <functional>

using namespace kern::runtime;
using namespace kern::test;

namespace {
const kern_device gpu0 = {kDLCUDA, 0};
/// More floats than a block has: the memory is the pool's.
constexpr size_t large = cuda::BlockCache::largest / sizeof(float) + 1;
using Scene = std::function<kern_status(Caller &)>;

/// Closes the device, and looks for what is left of it.
void expectNothingLeft(FakeDriver &gpu, const std::string &when) {
  cuda::Platform::exchange(std::make_shared<cuda::Platform>(
      Expected<std::shared_ptr<const cuda::Driver>>(
          Error(ErrorCode::driver_missing))));
  EXPECT_EQ(gpu.live(), 0) << when << ": " << gpu.memory.size()
                           << " allocations, " << gpu.pinned.size()
                           << " page-locked, " << gpu.registered.size()
                           << " registered, " << gpu.events << " events, "
                           << gpu.streams.count() << " streams";
  EXPECT_EQ(gpu.contexts, 0) << when;
  EXPECT_EQ(gpu.pools, 0) << when;
  EXPECT_EQ(gpu.pushed, 0) << when;
}

/// Plays the scene with the n-th driver call failing. False if none did.
bool playWithDriverFault(const Scene &scene, int n) {
  FakeDriver gpu;
  std::string when;
  {
    Caller caller;
    gpu.failCall(n, CUDA_ERROR_ILLEGAL_ADDRESS);
    const kern_status status = scene(caller);
    if (gpu.failed().empty())
      return false;
    when = "call " + std::to_string(n) + ", " + gpu.failed();
    const std::string message = status ? kern_last_error() : "";
    EXPECT_TRUE(status == KERN_OK ||
                message.find(gpu.failed() + " failed") != std::string::npos)
        << when << ": " << message;
    caller.results.clear();
    EXPECT_EQ(scene(caller), KERN_OK) << when << ": " << kern_last_error();
    caller.results.clear();
  }
  expectNothingLeft(gpu, when);
  return true;
}

/// The same with the n-th allocation on the host.
bool playWithAllocationFault(const Scene &scene, int n) {
  FakeDriver gpu;
  const std::string when = "allocation " + std::to_string(n);
  bool hasFailed = false;
  {
    Caller caller;
    {
      AllocationFailure failure(n);
      kern_status status = KERN_ERROR_MEMORY;
      try {
        status = scene(caller);
      } catch (const std::bad_alloc &) { // of the scene's own
      }
      hasFailed = failure.hasFailed();
      EXPECT_TRUE(status == KERN_OK || status == KERN_ERROR_MEMORY ||
                  status == KERN_ERROR_DEVICE)
          << when << ": " << status << ", " << kern_last_error();
    }
    caller.results.clear();
    EXPECT_EQ(scene(caller), KERN_OK) << when << ": " << kern_last_error();
    caller.results.clear();
  }
  expectNothingLeft(gpu, when);
  return hasFailed;
}

void playWithFaults(const Scene &scene) {
  int faults = 0;
  while (playWithDriverFault(scene, faults + 1))
    ++faults;
  EXPECT_GT(faults, 20);
  if (!AllocationFailure::isPossible())
    return;
  faults = 0;
  while (playWithAllocationFault(scene, faults + 1))
    ++faults;
  EXPECT_GT(faults, 20);
}

ManagedArray onGpu(std::vector<float> values) {
  DLManagedTensor *copy = nullptr;
  kern_array_copy(Tensor<float>(values.data(), {int64_t(values.size())}).get(),
                  gpu0, &copy);
  return ManagedArray(copy);
}

/// out = x + 1, or a new result.
kern_status add(Caller &caller, void *stream, const ManagedArray &x,
                const DLTensor *out = nullptr) {
  caller.options = onTheGpu();
  caller.options->call.stream = stream;
  return caller.call("add", {value(&x->dl_tensor), weak(1)}, {out});
}

ManagedArray taken(Caller &caller) {
  ManagedArray made = std::move(caller.results.front());
  caller.results.clear();
  return made;
}

/// Released at the end of a scene.
struct Objects {
  kern_stream *streams[3] = {};
  kern_event *events[2] = {};
  kern_graph *graph = nullptr;
  ~Objects() {
    kern_graph_release(graph);
    for (kern_stream *stream : streams)
      kern_stream_release(stream);
    for (kern_event *event : events)
      kern_event_release(event);
  }
};

#define TRY(...)                                                               \
  if (kern_status tried = (__VA_ARGS__); tried != KERN_OK)                     \
  return tried

/// What calls do with the memory of three streams.
template <typename Streams>
kern_status shareArrays(Caller &caller, size_t n, Streams streams) {
  ManagedArray x = onGpu(std::vector<float>(n, 1));
  if (!x)
    return KERN_ERROR_MEMORY; // of a copy, which other tests look at
  TRY(add(caller, streams(0), x));
  ManagedArray y = taken(caller);
  TRY(add(caller, streams(1), y));
  ManagedArray z = taken(caller);
  TRY(add(caller, streams(2), y));
  ManagedArray w = taken(caller);
  TRY(add(caller, streams(0), z, &y->dl_tensor));
  y.reset();
  return kern_synchronize(gpu0);
}
} // namespace

TEST(ObjectFailure, StreamsAndEvents) {
  playWithFaults([](Caller &caller) {
    Objects objects;
    for (kern_stream *&stream : objects.streams)
      TRY(kern_stream_new(gpu0, &stream));
    for (kern_event *&event : objects.events)
      TRY(kern_event_new(gpu0, 1, &event));
    TRY(kern_event_record(objects.events[0], objects.streams[0]));
    TRY(kern_stream_wait_event(objects.streams[1], objects.events[0]));
    TRY(shareArrays(caller, 4, [&](size_t i) {
      return kern_stream_handle(objects.streams[i]);
    }));
    TRY(kern_event_record(objects.events[1], objects.streams[0]));
    TRY(kern_event_synchronize(objects.events[1]));
    float milliseconds = 0;
    TRY(kern_event_elapsed(objects.events[0], objects.events[1],
                           &milliseconds));
    int isComplete = 0;
    TRY(kern_event_query(objects.events[1], &isComplete));
    TRY(kern_stream_query(objects.streams[0], &isComplete));
    return kern_stream_synchronize(objects.streams[1]);
  });
}

TEST(ObjectFailure, StreamsOfTheCaller) {
  for (size_t n : {size_t(4), large})
    playWithFaults([n](Caller &caller) {
      return shareArrays(caller, n, [](size_t i) {
        return reinterpret_cast<void *>(uintptr_t(0x901 + i));
      });
    });
}

TEST(ObjectFailure, ViewsThatEnd) {
  playWithFaults([](Caller &caller) {
    Objects objects;
    for (size_t i = 0; i < 3; ++i)
      TRY(kern_stream_borrow(gpu0,
                             reinterpret_cast<void *>(uintptr_t(0x901 + i)),
                             &objects.streams[i]));
    return shareArrays(caller, large, [&](size_t i) {
      return kern_stream_handle(objects.streams[i]);
    });
  });
}

TEST(ObjectFailure, Pools) {
  playWithFaults([](Caller &caller) {
    kern_memory_info info = {};
    info.size = sizeof info;
    ManagedArray x = onGpu({1, 2, 3});
    if (!x)
      return KERN_ERROR_MEMORY;
    TRY(add(caller, nullptr, x));
    caller.results.clear();
    TRY(kern_memory_describe(gpu0, &info));
    TRY(kern_memory_trim(gpu0));
    const kern_device pinned = {kDLCUDAHost, 0};
    const int64_t count = 100;
    for (int i = 0; i < 2; ++i) {
      DLManagedTensor *made = nullptr;
      TRY(kern_array_new(KERN_F32, 1, &count, pinned, &made));
      ManagedArray array(made);
      TRY(kern_host_register(made->dl_tensor.data, 64));
      if (kern_status tried = kern_host_unregister(made->dl_tensor.data)) {
        EXPECT_EQ(kern_host_unregister(made->dl_tensor.data), KERN_OK)
            << "it is still registered";
        return tried;
      }
    }
    return kern_memory_trim(pinned);
  });
}

TEST(ObjectFailure, Graphs) {
  playWithFaults([](Caller &caller) {
    Objects objects;
    ManagedArray x = onGpu({1, 2, 3}), out = onGpu({0, 0, 0});
    if (!x || !out)
      return KERN_ERROR_MEMORY;
    for (kern_stream *&stream : objects.streams)
      TRY(kern_stream_new(gpu0, &stream));
    void *const handle = kern_stream_handle(objects.streams[0]);
    TRY(kern_graph_begin(objects.streams[0], &objects.graph));
    TRY(add(caller, handle, x));
    ManagedArray y = taken(caller);
    TRY(add(caller, handle, y, &out->dl_tensor));
    y.reset();
    TRY(kern_graph_end(objects.graph));
    TRY(kern_graph_launch(objects.graph, objects.streams[0]));
    TRY(kern_graph_launch(objects.graph, objects.streams[1]));
    return kern_synchronize(gpu0);
  });
}

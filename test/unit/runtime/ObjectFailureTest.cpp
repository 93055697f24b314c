//===- ObjectFailureTest.cpp - faults in scenes with GPU objects ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "kern/graphs.h"
#include "kern/memory.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
const kern_device gpu0 = {kDLCUDA, 0};
/// More floats than a block has: the memory is the pool's.
constexpr size_t large = cuda::BlockCache::largest / sizeof(float) + 1;
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
        // It is still registered, unless the device is lost.
        const kern_status again = kern_host_unregister(made->dl_tensor.data);
        EXPECT_TRUE(again == KERN_OK || again == KERN_ERROR_DEVICE) << again;
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

//===- NullObjectArgumentsTest.cpp - NULL for streams and events ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As NullArgumentsTest.cpp, for the objects of GPUs.
// test/unit/runtime/StreamsTest.cpp has what they do.
//
//===----------------------------------------------------------------------===//
#include "kern/graphs.h"
#include "kern/memory.h"
#include "kern/sharded.h"

#include <gtest/gtest.h>

namespace {
const kern_device cpu = {kDLCPU, 0}, gpu = {kDLCUDA, 0};

void refused(kern_status status, const char *what) {
  EXPECT_EQ(status, KERN_ERROR_ARGUMENT);
  EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
      << kern_last_error();
}
} // namespace

TEST(NullObjectArguments, OfStreamsAreRefused) {
  int answer = 0;
  refused(kern_stream_new(gpu, nullptr), "the place for the stream");
  refused(kern_stream_borrow(gpu, nullptr, nullptr), "the place");
  refused(kern_stream_synchronize(nullptr), "the stream");
  refused(kern_stream_query(nullptr, &answer), "the stream");
  refused(kern_stream_wait_event(nullptr, nullptr), "the stream");
  EXPECT_EQ(kern_stream_handle(nullptr), nullptr);
  EXPECT_EQ(kern_stream_device(nullptr).device_type, kDLCPU);
  kern_stream_release(nullptr);
}

TEST(NullObjectArguments, OfEventsAreRefused) {
  int answer = 0;
  float milliseconds = 0;
  refused(kern_event_new(gpu, 0, nullptr), "the place for the event");
  refused(kern_event_record(nullptr, nullptr), "the event");
  refused(kern_event_synchronize(nullptr), "the event");
  refused(kern_event_query(nullptr, &answer), "the event");
  refused(kern_event_elapsed(nullptr, nullptr, &milliseconds), "the event");
  EXPECT_EQ(kern_event_handle(nullptr), nullptr);
  kern_event_release(nullptr);
}

TEST(NullObjectArguments, OfScopesThereAreNone) {
  EXPECT_EQ(kern_device_scope_enter(cpu), KERN_OK);
  EXPECT_EQ(kern_device_scope_current().device_type, kDLCPU);
  kern_device_scope_leave();
}

TEST(NullObjectArguments, OfMemoryAreRefused) {
  refused(kern_memory_describe(gpu, nullptr), "the place for the description");
  refused(kern_memory_set_allocator(cpu, nullptr), "no pools of cpu");
  refused(kern_memory_reset_peak(cpu), "no pools of cpu");
  refused(kern_memory_set_limit(cpu, 1), "no pools of cpu");
  refused(kern_memory_trim(cpu), "no pools of cpu");
  refused(kern_host_register(nullptr, 1), "the memory");
  refused(kern_host_unregister(nullptr), "the memory");
}

TEST(NullObjectArguments, OfGraphsAreRefused) {
  kern_graph *graph = nullptr;
  refused(kern_graph_begin(nullptr, &graph), "the stream");
  refused(kern_graph_begin(nullptr, nullptr), "the place for the graph");
  refused(kern_graph_end(nullptr), "the graph");
  refused(kern_graph_launch(nullptr, nullptr), "the graph");
  kern_graph_release(nullptr);
}

TEST(NullObjectArguments, OfShardedArraysAreRefused) {
  kern_sharded *array = nullptr;
  const int64_t shape[] = {2};
  refused(kern_sharded_new(KERN_F32, 1, shape, nullptr, 0, nullptr),
          "the place for the array");
  refused(kern_sharded_new(KERN_F32, 1, shape, nullptr, 2, &array),
          "the devices");
  refused(kern_sharded_scatter(nullptr, nullptr, 0, nullptr), "the place");
  refused(kern_sharded_scatter(nullptr, nullptr, 0, &array), "the source");
  refused(kern_sharded_replicate(nullptr, nullptr, 0, &array), "the source");
  refused(kern_sharded_assign(nullptr, nullptr), "the destination");
  refused(kern_sharded_gather(nullptr, nullptr), "the source");
  refused(kern_sharded_synchronize(nullptr), "the array");
  refused(kern_sharded_call(nullptr, nullptr, 0, nullptr, nullptr, 0, nullptr,
                            nullptr),
          "the function");
  kern_sharded *reduced = nullptr;
  refused(kern_sharded_reduce(nullptr, nullptr, nullptr, &reduced, nullptr,
                              nullptr),
          "the function");
  EXPECT_EQ(kern_sharded_form(nullptr), nullptr);
  EXPECT_EQ(kern_sharded_is_replicated(nullptr), 0);
  EXPECT_EQ(kern_sharded_part_count(nullptr), 0u);
  EXPECT_EQ(kern_sharded_part(nullptr, 0), nullptr);
  EXPECT_EQ(kern_sharded_begin(nullptr, 0), 0);
  kern_sharded_release(nullptr);
}

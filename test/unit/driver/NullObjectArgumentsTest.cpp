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

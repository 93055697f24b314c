//===- GraphTest.cpp - chains of calls as one launch ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"
#include "kern/graphs.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
const kern_device gpu0 = {kDLCUDA, 0};

class Graphs : public GpuCaller {
protected:
  Graphs() {
    EXPECT_EQ(kern_stream_new(gpu0, &stream), KERN_OK);
    EXPECT_EQ(kern_stream_new(gpu0, &other), KERN_OK);
    options->call.stream = kern_stream_handle(stream);
  }
  ~Graphs() override {
    kern_graph_release(graph);
    kern_stream_release(stream);
    kern_stream_release(other);
  }
  void begin() {
    ASSERT_EQ(kern_graph_begin(stream, &graph), KERN_OK) << kern_last_error();
  }
  void end() { ASSERT_EQ(kern_graph_end(graph), KERN_OK) << kern_last_error(); }
  void launch(kern_stream *on) {
    ASSERT_EQ(kern_graph_launch(graph, on), KERN_OK) << kern_last_error();
  }
  ManagedArray add(const ManagedArray &x) {
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK)
        << kern_last_error();
    ManagedArray made = std::move(results.front());
    results.clear();
    return made;
  }
  void addInto(const ManagedArray &x, const ManagedArray &out) {
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {&out->dl_tensor}),
              KERN_OK)
        << kern_last_error();
  }
  void refused(kern_status expected, kern_status status, const char *what) {
    EXPECT_EQ(status, expected);
    EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
        << kern_last_error();
  }
  using Floats = std::vector<float>;
  kern_stream *stream = nullptr, *other = nullptr;
  kern_graph *graph = nullptr;
};
} // namespace

TEST_F(Graphs, ReplayAChain) {
  ManagedArray x = device({1, 2}), y = device({0, 0});
  begin();
  addInto(x, y);
  addInto(y, x); // x = x + 2
  end();
  EXPECT_EQ(hostValues<float>(x->dl_tensor), (Floats{1, 2})) << "not run yet";
  gpu.calls.clear();
  launch(stream);
  launch(stream);
  EXPECT_EQ(gpu.calls["cuGraphLaunch"], 2);
  EXPECT_EQ(gpu.calls["cuLaunchKernel"] + gpu.calls["cuLaunchKernelEx"], 0);
  EXPECT_EQ(hostValues<float>(x->dl_tensor), (Floats{5, 6}));
}

// The results of a chain end before it is launched; what they leave serves
// later results of the chain.
TEST_F(Graphs, OwnTheMemoryOfResults) {
  ManagedArray x = device({1, 2}), out = device({0, 0});
  const size_t arrays = gpu.memory.size();
  begin();
  {
    ManagedArray a = add(x);
    ManagedArray b = add(a);
    a.reset();
    ManagedArray c = add(b);
    addInto(c, out); // x + 4
  }
  end();
  EXPECT_EQ(gpu.memory.size(), arrays + 2) << "two of the three at once";
  ManagedArray elsewhere = device({9, 9});
  launch(stream);
  EXPECT_EQ(hostValues<float>(out->dl_tensor), (Floats{5, 6}));
  launch(other);
  EXPECT_EQ(hostValues<float>(out->dl_tensor), (Floats{5, 6}));
  EXPECT_EQ(hostValues<float>(elsewhere->dl_tensor), (Floats{9, 9}));
  elsewhere.reset();
  kern_graph_release(graph);
  graph = nullptr;
  EXPECT_EQ(gpu.memory.size(), arrays) << "the graph had it";
}

TEST_F(Graphs, ResultsOutliveTheirGraph) {
  ManagedArray x = device({1, 2});
  begin();
  ManagedArray y = add(x);
  end();
  launch(stream);
  EXPECT_EQ(hostValues<float>(y->dl_tensor), (Floats{2, 3}));
  addInto(x, x); // 2, 3
  launch(stream);
  EXPECT_EQ(hostValues<float>(y->dl_tensor), (Floats{3, 4}));
  kern_graph_release(graph);
  graph = nullptr;
  EXPECT_EQ(hostValues<float>(y->dl_tensor), (Floats{3, 4}));
}

TEST_F(Graphs, RefuseArraysThatHaveEnded) {
  ManagedArray x = device({1, 2}), out = device({0, 0});
  options->call.stream = kern_stream_handle(stream);
  ManagedArray y = add(x); // of a block, which is kept
  begin();
  addInto(y, out);
  end();
  launch(stream);
  y.reset();
  refused(KERN_ERROR_ARGUMENT, kern_graph_launch(graph, stream), "has ended");
  ManagedArray again = add(x); // the same block
  refused(KERN_ERROR_ARGUMENT, kern_graph_launch(graph, stream), "has ended");
}

TEST_F(Graphs, LaunchesAreOrderedAsCallsAre) {
  ManagedArray x = device({1, 2}), y = device({0, 0}), z = device({0, 0});
  begin();
  addInto(x, y);
  end();
  options->call.stream = kern_stream_handle(other);
  addInto(x, x);  // 2, 3, on the other stream
  launch(stream); // y = 3, 4
  addInto(y, z);  // z = 4, 5, on the other stream
  ASSERT_EQ(kern_stream_synchronize(other), KERN_OK);
  auto *at =
      gpu.at<float>(int64_t(reinterpret_cast<uintptr_t>(z->dl_tensor.data)));
  EXPECT_EQ(Floats(at, at + 2), (Floats{4, 5}));
}

// No mark can be made on the stream while it is recorded.
TEST_F(Graphs, OthersComeAfterWhatWasEnqueuedBefore) {
  ManagedArray x = device({1, 2}), y = device({0, 0}), z = device({0, 0});
  options->call.stream = kern_stream_handle(other);
  addInto(x, z);
  options->call.stream = kern_stream_handle(stream);
  addInto(x, y); // 2, 3
  begin();
  options->call.stream = kern_stream_handle(other);
  addInto(y, z); // after it
  ASSERT_EQ(kern_stream_synchronize(other), KERN_OK) << kern_last_error();
  auto *at =
      gpu.at<float>(int64_t(reinterpret_cast<uintptr_t>(z->dl_tensor.data)));
  EXPECT_EQ(Floats(at, at + 2), (Floats{3, 4}));
  end();
}

TEST_F(Graphs, KeepTheirCode) {
  Caller module;
  module.options = options;
  ManagedArray x = device({1, 2});
  begin();
  {
    Caller brief;
    brief.options = options;
    ASSERT_EQ(
        brief.call("add", {value(&x->dl_tensor), weak(1)}, {&x->dl_tensor}),
        KERN_OK)
        << kern_last_error() << ": its first call, while it is recorded";
  }
  end();
  EXPECT_EQ(gpu.modules.size(), 1u);
  launch(stream);
  EXPECT_EQ(hostValues<float>(x->dl_tensor), (Floats{2, 3}));
  kern_graph_release(graph);
  graph = nullptr;
  EXPECT_TRUE(gpu.modules.empty());
}

TEST_F(Graphs, Mistakes) {
  kern_stream *standard = nullptr;
  ASSERT_EQ(kern_stream_borrow(gpu0, nullptr, &standard), KERN_OK);
  refused(KERN_ERROR_ARGUMENT, kern_graph_begin(standard, &graph),
          "the default stream");
  EXPECT_EQ(graph, nullptr);
  kern_stream_release(standard);
  ManagedArray x = device({1, 2});
  begin();
  kern_graph *second = nullptr;
  refused(KERN_ERROR_ARGUMENT, kern_graph_begin(stream, &second), "already");
  refused(KERN_ERROR_ARGUMENT, kern_graph_launch(graph, other), "not complete");
  float host[2] = {1, 2};
  refused(KERN_ERROR_ARGUMENT,
          call("add", {value(Tensor<float>(host, {2}).get()), weak(1)}),
          "being captured");
  end();
  refused(KERN_ERROR_ARGUMENT, kern_graph_end(graph), "ended already");
  kern_graph_release(graph);
  begin(); // and is released without an end
  addInto(x, x);
  kern_graph_release(graph);
  graph = nullptr;
  addInto(x, x);
  EXPECT_EQ(hostValues<float>(x->dl_tensor), (Floats{2, 3}));
}

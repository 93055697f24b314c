//===- PeerCopyTest.cpp - copies from GPU to GPU --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arrays.h"
#include "FakeDriver.h"
#include "kern/streams.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
constexpr kern_device first = {kDLCUDA, 0}, second = {kDLCUDA, 1},
                      host = {kDLCPU, 0};

/// A copy on a device; NULL if there is none.
ManagedArray copyTo(const DLTensor *source, kern_device device) {
  DLManagedTensor *copy = nullptr;
  (void)kern_array_copy(source, device, &copy);
  return ManagedArray(copy);
}

/// Every way of copying between two GPUs; compares what comes back.
kern_status everyCopy() {
  std::vector<float> a = iota<float>(12);
  ManagedArray x = copyTo(Tensor<float>(a.data(), {3, 4}).get(), first);
  if (!x)
    return KERN_ERROR_DEVICE;
  ManagedArray y = copyTo(&x->dl_tensor, second);
  if (!y)
    return KERN_ERROR_DEVICE;
  EXPECT_EQ(y->dl_tensor.device.device_id, 1);
  ManagedArray back = copyTo(&y->dl_tensor, host);
  if (!back)
    return KERN_ERROR_DEVICE;
  EXPECT_EQ(valuesOf<float>(back->dl_tensor), a);
  // Columns to rows: neither lies as the other.
  auto *from = static_cast<float *>(x->dl_tensor.data);
  auto *to = static_cast<float *>(y->dl_tensor.data);
  Tensor<float> columns(from, {4, 3}, {1, 4}, first);
  Tensor<float> every(to, {4, 3}, {3, 1}, second);
  if (kern_status status = kern_array_assign(every.get(), columns.get()))
    return status;
  // Every second of a row, backwards, into a column.
  Tensor<float> picked(from + 2, {2}, {-2}, first);
  Tensor<float> column(to, {2}, {3}, second);
  if (kern_status status = kern_array_assign(column.get(), picked.get()))
    return status;
  back = copyTo(&y->dl_tensor, host);
  if (!back)
    return KERN_ERROR_DEVICE;
  EXPECT_EQ(valuesOf<float>(back->dl_tensor),
            (std::vector<float>{2, 4, 8, 0, 5, 9, 2, 6, 10, 3, 7, 11}));
  return KERN_OK;
}
} // namespace

TEST(PeerCopy, IsDirect) {
  for (bool hasPeers : {true, false})
    for (bool hasPools : {true, false}) {
      FakeDriver::Options options;
      options.devices = 2;
      options.hasPeers = hasPeers;
      options.hasPools = hasPools;
      FakeDriver gpus(options);
      ASSERT_EQ(everyCopy(), KERN_OK) << kern_last_error();
      EXPECT_EQ(gpus.calls["cuMemcpyPeerAsync"], 3);
      EXPECT_EQ(gpus.calls["cuMemcpyDtoHAsync"], 2) << "those of the test";
      EXPECT_EQ(gpus.calls["cuCtxEnablePeerAccess"], hasPeers ? 2 : 0)
          << "once each way";
      EXPECT_EQ(gpus.calls["cuMemPoolSetAccess"], hasPeers && hasPools ? 2 : 0);
    }
}

// Arrays that lie alike move as they are, in any order of dimensions.
TEST(PeerCopy, OfOneOrderMovesAsItIs) {
  FakeDriver::Options options;
  options.devices = 2;
  FakeDriver gpus(options);
  std::vector<double> a = iota<double>(6);
  ManagedArray x = copyTo(Tensor<double>(a.data(), {6}).get(), first);
  ManagedArray y = copyTo(Tensor<double>(a.data(), {6}).get(), second);
  ASSERT_TRUE(x && y);
  auto turned = [](const ManagedArray &array, kern_device device) {
    return Tensor<double>(static_cast<double *>(array->dl_tensor.data), {2, 3},
                          {1, 2}, device);
  };
  gpus.launches.clear();
  ASSERT_EQ(kern_array_assign(turned(y, second).get(), turned(x, first).get()),
            KERN_OK)
      << kern_last_error();
  EXPECT_TRUE(gpus.launches.empty()) << "no kernel rearranges them";
  EXPECT_EQ(gpus.calls["cuMemcpyPeerAsync"], 1);
}

// The double runs what is on a stream when that is waited for.
TEST(PeerCopy, ComesAfterWhatStreamsDoOnBothGpus) {
  FakeDriver::Options options;
  options.devices = 2;
  FakeDriver gpus(options);
  Caller caller;
  std::vector<float> a = {1, 2};
  kern_stream *one = nullptr, *other = nullptr;
  ASSERT_EQ(kern_stream_new(first, &one), KERN_OK);
  ASSERT_EQ(kern_stream_new(second, &other), KERN_OK);
  auto addOne = [&](const ManagedArray &x, kern_stream *stream) {
    caller.options = noOptions();
    caller.options->call.stream = kern_stream_handle(stream);
    EXPECT_EQ(caller.call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK)
        << kern_last_error();
    ManagedArray made = std::move(caller.results.front());
    caller.results.clear();
    return made;
  };
  ManagedArray x = copyTo(Tensor<float>(a.data(), {2}).get(), first);
  ManagedArray y = copyTo(Tensor<float>(a.data(), {2}).get(), second);
  ManagedArray written = addOne(x, one);
  ManagedArray copied = copyTo(&written->dl_tensor, second);
  ASSERT_TRUE(copied) << kern_last_error();
  written = addOne(x, one);
  ManagedArray read = addOne(y, other);
  ASSERT_EQ(kern_array_assign(&y->dl_tensor, &written->dl_tensor), KERN_OK)
      << kern_last_error();
  // Another stream has what was copied, and the memory it came from.
  written.reset();
  ManagedArray after = addOne(y, other);
  auto onHost = [](const ManagedArray &array) {
    return valuesOf<float>(copyTo(&array->dl_tensor, host)->dl_tensor);
  };
  EXPECT_EQ(onHost(copied), (std::vector<float>{2, 3}));
  EXPECT_EQ(onHost(read), (std::vector<float>{2, 3}));
  EXPECT_EQ(onHost(y), (std::vector<float>{2, 3}));
  EXPECT_EQ(onHost(after), (std::vector<float>{3, 4}));
  kern_stream_release(one);
  kern_stream_release(other);
}

TEST(PeerCopy, OfNothing) {
  FakeDriver::Options options;
  options.devices = 2;
  FakeDriver gpus(options);
  float nothing = 0;
  ManagedArray x = copyTo(Tensor<float>(&nothing, {0, 3}).get(), first);
  ASSERT_TRUE(x);
  ManagedArray y = copyTo(&x->dl_tensor, second);
  ASSERT_TRUE(y) << kern_last_error();
  EXPECT_EQ(gpus.calls["cuMemcpyPeerAsync"], 0);
}

TEST(PeerCopy, OperandsOnTwoGpusAreRefused) {
  FakeDriver::Options options;
  options.devices = 2;
  FakeDriver gpus(options);
  Caller caller;
  std::vector<float> a = {1, 2};
  ManagedArray x = copyTo(Tensor<float>(a.data(), {2}).get(), first);
  ManagedArray y = copyTo(Tensor<float>(a.data(), {2}).get(), second);
  EXPECT_EQ(caller.call("add", {value(&x->dl_tensor), value(&y->dl_tensor)}),
            KERN_ERROR_ARGUMENT);
  EXPECT_NE(std::string(kern_last_error())
                .find("argument 1 (`x`) is on cuda:0 and argument 2 (`y`) on "
                      "cuda:1"),
            std::string::npos)
      << kern_last_error();
}

// Whatever call of the driver fails, the next copy works and nothing leaks.
TEST(PeerCopy, EveryCallThatFails) {
  FakeDriver::Options options;
  options.devices = 2;
  std::map<std::string, int> calls;
  {
    FakeDriver gpus(options);
    ASSERT_EQ(everyCopy(), KERN_OK) << kern_last_error();
    calls = gpus.calls;
  }
  int tried = 0;
  for (const auto &[name, count] : calls)
    for (int occurrence = 1; occurrence <= count; ++occurrence) {
      if (name == "cuInit" || name == "cuDeviceGetCount" ||
          name == "cuCtxPopCurrent")
        continue;
      FakeDriver gpus(options);
      gpus.failAt(name, occurrence, CUDA_ERROR_ILLEGAL_ADDRESS);
      if (everyCopy() == KERN_OK)
        continue; // not needed: the driver copies in another way
      ++tried;
      EXPECT_NE(std::string(kern_last_error()).find(name + " failed"),
                std::string::npos)
          << name << ": " << kern_last_error();
      EXPECT_EQ(everyCopy(), KERN_OK)
          << "after " << name << " " << occurrence << ": " << kern_last_error();
      for (int ordinal : {0, 1})
        if (auto context = cuda::Platform::current()->context(ordinal))
          (void)(*context)->releaseUnused(); // what streams keep
      EXPECT_TRUE(gpus.memory.empty()) << "leaked at " << name;
      EXPECT_EQ(gpus.pushed, 0);
    }
  EXPECT_GT(tried, 40);
}

//===- CallPlanTest.cpp - calls that are like earlier ones ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallPlan.h"
#include "AllocationCount.h"
#include "GpuCaller.h"

#include <fstream>
#include <random>
#include <thread>
#include <unistd.h>

using namespace kern::runtime;
using namespace kern::test;

namespace {
class HostPlans : public testing::Test, public Caller {
protected:
  void SetUp() override { options = onTheHost(); }
};

class CudaPlans : public GpuCaller {
protected:
  /// kern_call() itself, without the vectors of Caller::call().
  kern_status plainCall(kern_function *add, const DLTensor *a,
                        const DLTensor *b, const DLTensor *out) {
    kern_value values[] = {value(a), value(b)};
    return kern_call(add, values, 2, &out, nullptr, 1, nullptr, nullptr);
  }
};

/// Bytes of the process that are in memory.
long residentBytes() {
  std::ifstream file("/proc/self/statm");
  long size = 0, resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}
} // namespace

TEST_F(CudaPlans, RepeatedCallIsOneDriverCall) {
  ManagedArray a = device({1, 2, 3}), b = device({10, 20, 30}),
               out = device({0, 0, 0}), c = device({100, 200, 300}),
               other = device({0, 0, 0});
  kern_function *add = find("add");
  ASSERT_EQ(plainCall(add, &a->dl_tensor, &b->dl_tensor, &out->dl_tensor),
            KERN_OK);
  gpu.calls.clear();
  ASSERT_EQ(plainCall(add, &a->dl_tensor, &b->dl_tensor, &out->dl_tensor),
            KERN_OK);
  EXPECT_EQ(gpu.calls["cuLaunchKernel"], 1);
  EXPECT_EQ(gpu.total(), 1);
  // Other arrays of the same kind.
  gpu.calls.clear();
  ASSERT_EQ(plainCall(add, &c->dl_tensor, &a->dl_tensor, &other->dl_tensor),
            KERN_OK);
  EXPECT_EQ(gpu.total(), 1);
  EXPECT_EQ(hostValues<float>(other->dl_tensor),
            (std::vector<float>{101, 202, 303}));
  EXPECT_EQ(hostValues<float>(out->dl_tensor),
            (std::vector<float>{11, 22, 33}));
}

TEST_F(CudaPlans, RepeatedCallAllocatesNothing) {
  ManagedArray a = device({1, 2, 3}), out = device({0, 0, 0});
  kern_function *add = find("add");
  kern_value values[] = {value(&a->dl_tensor), weakFloat(0.5)};
  const DLTensor *place = &out->dl_tensor;
  auto call = [&] {
    return kern_call(add, values, 2, &place, nullptr, 1, nullptr, nullptr);
  };
  ASSERT_EQ(call(), KERN_OK);
  AllocationCount count;
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(call(), KERN_OK);
  EXPECT_EQ(count.made(), 0);
  EXPECT_EQ(hostValues<float>(out->dl_tensor),
            (std::vector<float>{1.5, 2.5, 3.5}));
}

// A row in slices: two launches, and memory for the sums of slices.
TEST_F(CudaPlans, RepeatedCallOfAChainIsItsLaunches) {
  constexpr int64_t n = 1 << 20;
  std::vector<double> ones(n, 1), twos(n, 2), zero(1);
  ManagedArray a = onDevice(Tensor<double>(ones.data(), {n}).get()),
               b = onDevice(Tensor<double>(twos.data(), {n}).get()),
               out = onDevice(Tensor<double>(zero.data(), {}).get());
  kern_function *total = find("long_total");
  auto call = [&](const ManagedArray &x) {
    kern_value values[] = {value(&x->dl_tensor)};
    const DLTensor *place = &out->dl_tensor;
    return kern_call(total, values, 1, &place, nullptr, 1, nullptr, nullptr);
  };
  ASSERT_EQ(call(a), KERN_OK) << kern_last_error();
  EXPECT_EQ(hostValues<double>(out->dl_tensor)[0], double(n));
  int live = gpu.live();
  gpu.launches.clear();
  gpu.calls.clear();
  AllocationCount count;
  ASSERT_EQ(call(b), KERN_OK) << kern_last_error();
  EXPECT_LE(count.made(), 1) << "the owner of the memory";
  EXPECT_EQ(gpu.calls["cuLaunchKernel"], 2);
  EXPECT_EQ(gpu.total(), 2) << "the memory is that of the call before";
  ASSERT_EQ(gpu.launches.size(), 2u);
  const FakeLaunch &first = gpu.launches[0], &last = gpu.launches[1];
  EXPECT_GT(first.words[11], 1) << "slices";
  EXPECT_EQ(first.grid, unsigned(first.words[11]));
  EXPECT_EQ(last.grid, 1u);
  EXPECT_EQ(hostValues<double>(out->dl_tensor)[0], double(2 * n));
  EXPECT_EQ(gpu.live(), live);
}

// Whatever the layout: whole blocks, parts of blocks, strides, rows, a number,
// transposed arrays, and enough of them for several threads.
TEST_F(HostPlans, RepeatedCallAllocatesNothing) {
  constexpr int64_t rows = 600, columns = 700;
  auto a = iota<float>(2 * rows * columns), b = iota<float>(rows * columns, 5);
  std::vector<float> out(rows * columns);
  kern_function *add = find("add");
  auto check = [&](kern_value x, kern_value y, Tensor<float> &z) {
    kern_value values[] = {x, y};
    const DLTensor *place = z.get();
    auto call = [&] {
      return kern_call(add, values, 2, &place, nullptr, 1, &options->call,
                       nullptr);
    };
    ASSERT_EQ(call(), KERN_OK) << kern_last_error();
    AllocationCount count;
    for (int i = 0; i < 20; ++i)
      ASSERT_EQ(call(), KERN_OK);
    EXPECT_EQ(count.made(), 0);
  };
  for (int64_t n : {1, 4, 5, 400, 403}) {
    SCOPED_TRACE(n);
    Tensor<float> x(a.data(), {n}), y(b.data(), {n}), z(out.data(), {n}),
        steps(a.data(), {n}, {2});
    check(value(x.get()), value(y.get()), z);
    EXPECT_EQ(out[size_t(n - 1)], float(2 * (n - 1) + 5));
    check(value(steps.get()), value(y.get()), z);
    EXPECT_EQ(out[size_t(n - 1)], float(3 * (n - 1) + 5));
    check(value(x.get()), weakFloat(0.5), z);
    EXPECT_EQ(out[size_t(n - 1)], float(n - 1) + 0.5f);
  }
  Tensor<float> across(a.data(), {rows, columns}, {1, rows}),
      row(b.data(), {columns}), z(out.data(), {rows, columns});
  check(value(across.get()), value(row.get()), z);
  EXPECT_EQ(out[columns + 2], float(1 + 2 * rows + 2 + 5));
}

TEST_F(HostPlans, OtherValuesOfNumbers) {
  auto a = iota<double>(3);
  Tensor<double> x(a.data(), {3});
  for (int64_t n : {1, 2, -3, 100000, 1}) {
    ASSERT_EQ(call("add", {value(x.get()), weak(n)}), KERN_OK);
    EXPECT_EQ(valuesOf<double>(result())[2], double(2 + n));
    ASSERT_EQ(call("add", {value(x.get()), scalar<float>(float(n) / 2)}),
              KERN_OK);
    EXPECT_EQ(valuesOf<double>(result())[2], 2 + double(n) / 2);
    double element = double(n) * 4;
    ASSERT_EQ(call("add", {value(x.get()),
                           value(Tensor<double>(&element, {1}).get())}),
              KERN_OK);
    EXPECT_EQ(valuesOf<double>(result())[2], 2 + double(n) * 4);
  }
  // A weak integer that fits the loop, and then one that does not.
  std::vector<int32_t> i = {1, 2};
  Tensor<int32_t> y(i.data(), {2});
  ASSERT_EQ(call("both", {value(y.get()), weak(5)}), KERN_OK);
  EXPECT_EQ(call("both", {value(y.get()), weak(int64_t(1) << 40)}),
            KERN_ERROR_TYPE);
  EXPECT_NE(std::string(kern_last_error()).find("1099511627776"),
            std::string::npos);
  ASSERT_EQ(call("both", {value(y.get()), weak(-5)}), KERN_OK);
  EXPECT_EQ(valuesOf<int32_t>(result(1))[1], 7);
}

TEST_F(HostPlans, DimensionsArePartOfTheKey) {
  double one = 7;
  Tensor<double> x(&one, {});
  for (int64_t n : {3, 5, 3, 0, 3}) {
    ASSERT_EQ(call("tile", {value(x.get()), weak(n)}), KERN_OK);
    EXPECT_EQ(valuesOf<double>(result()), std::vector<double>(size_t(n), 7));
  }
  ASSERT_EQ(call("tile", {value(x.get()), scalar<uint8_t>(4)}), KERN_OK);
  EXPECT_EQ(result().shape[0], 4);
}

// One key, and everything that addresses alone decide: apart, exactly in
// place, overlapping forwards and backwards, in any order of calls.
TEST_F(HostPlans, OverlapIsLookedAtEveryTime) {
  std::mt19937 random(3);
  constexpr int64_t n = 10;
  for (int round = 0; round < 400; ++round) {
    auto memory = iota<double>(40);
    auto place = [&] { return memory.data() + random() % 31; };
    double *a = place(), *b = random() % 3 ? place() : a,
           *c = random() % 3 ? place() : b;
    Tensor<double> x(a, {n}), y(b, {n}), z(c, {n});
    auto expected = memory;
    for (int64_t i = 0; i < n; ++i)
      expected[size_t(c - memory.data() + i)] = a[i] + b[i];
    ASSERT_EQ(call("add", {value(x.get()), value(y.get())}, {z.get()}),
              KERN_OK);
    ASSERT_EQ(memory, expected) << "round " << round;
  }
  // Two results: those that overlap are refused, also after those that do not.
  std::vector<int32_t> memory(30, 1);
  Tensor<int32_t> in(memory.data(), {10});
  for (int round = 0; round < 4; ++round) {
    Tensor<int32_t> first(memory.data() + 10, {10}),
        apart(memory.data() + 20, {10}), over(memory.data() + 15, {10});
    EXPECT_EQ(
        call("both", {value(in.get()), weak(1)}, {first.get(), apart.get()}),
        KERN_OK);
    EXPECT_EQ(
        call("both", {value(in.get()), weak(1)}, {first.get(), over.get()}),
        KERN_ERROR_OVERLAP);
  }
}

// Interleaved arrays do not overlap, though their ranges do.
TEST_F(CudaPlans, InterleavedArrays) {
  std::vector<float> start = iota<float>(16);
  for (int distance : {1, 2, 1, 0, 1, 4, 2}) {
    ManagedArray buffer = device(start);
    auto *data = static_cast<float *>(buffer->dl_tensor.data);
    Tensor<float> even(data, {6}, {2}, {kDLCUDA, 0}),
        out(data + distance, {6}, {2}, {kDLCUDA, 0});
    auto expected = start;
    for (size_t i = 0; i < 6; ++i)
      expected[2 * i + size_t(distance)] = start[2 * i] + 1;
    ASSERT_EQ(call("add", {value(even.get()), weak(1)}, {out.get()}), KERN_OK);
    EXPECT_EQ(hostValues<float>(buffer->dl_tensor), expected) << distance;
  }
}

TEST_F(CudaPlans, AlignmentIsPartOfTheKey) {
  ManagedArray buffer = device(iota<float>(64));
  auto *data = static_cast<float *>(buffer->dl_tensor.data);
  for (int offset : {0, 1, 4, 0, 3}) {
    Tensor<float> x(data + offset, {32}, {}, {kDLCUDA, 0});
    ASSERT_EQ(call("add", {value(x.get()), weak(1)}), KERN_OK);
    EXPECT_STREQ(report.form, offset % 4 ? "strided" : "contiguous");
    EXPECT_EQ(hostValues<float>(result())[31], float(offset + 32));
  }
}

TEST_F(CudaPlans, StreamsAreNotPartOfTheKey) {
  ManagedArray a = device({1, 2});
  auto *stream = reinterpret_cast<void *>(uintptr_t(0x77));
  options = onTheGpu();
  ASSERT_EQ(call("add", {value(&a->dl_tensor), weak(1)}), KERN_OK);
  options->call.stream = stream;
  ASSERT_EQ(call("add", {value(&a->dl_tensor), weak(1)}), KERN_OK);
  EXPECT_EQ(gpu.launches.back().stream, stream);
}

TEST_F(CudaPlans, ThreadsWithoutAContext) {
  ManagedArray a = device({1, 2}), out = device({0, 0});
  kern_function *add = find("add");
  ASSERT_EQ(plainCall(add, &a->dl_tensor, &a->dl_tensor, &out->dl_tensor),
            KERN_OK);
  std::thread([&] {
    gpu.calls.clear();
    ASSERT_EQ(plainCall(add, &a->dl_tensor, &a->dl_tensor, &out->dl_tensor),
              KERN_OK)
        << kern_last_error();
    EXPECT_EQ(gpu.calls["cuLaunchKernel"], 1) << "none fails";
    gpu.calls.clear();
    ASSERT_EQ(plainCall(add, &a->dl_tensor, &a->dl_tensor, &out->dl_tensor),
              KERN_OK);
    EXPECT_EQ(gpu.total(), 1) << "the thread has kept the context";
  }).join();
  EXPECT_EQ(hostValues<float>(out->dl_tensor), (std::vector<float>{2, 4}));
}

TEST_F(CudaPlans, FailuresOfARepeatedCall) {
  ManagedArray a = device({1, 2});
  auto add = [&] { return call("add", {value(&a->dl_tensor), weak(1)}); };
  ASSERT_EQ(add(), KERN_OK);
  results.clear();
  int live = gpu.live();
  gpu.failAt("cuLaunchKernel", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(add(), KERN_ERROR_DEVICE);
  EXPECT_NE(std::string(kern_last_error()).find("`add`: cuLaunchKernel"),
            std::string::npos)
      << kern_last_error();
  EXPECT_EQ(gpu.live(), live) << "the result was given back";
  ASSERT_EQ(add(), KERN_OK);
}

TEST_F(HostPlans, ManyThreadsCallOneFunction) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  kern_function *add = find("add");
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random{unsigned(t)};
      for (int i = 0; i < 2000; ++i) {
        // More shapes than a table holds, so that tables are replaced while
        // others read them.
        auto n = int64_t(1 + random() % 400);
        std::vector<float> a(static_cast<size_t>(n), float(t)),
            out(a.size(), -1);
        Tensor<float> x(a.data(), {n}), z(out.data(), {n});
        kern_value values[] = {value(x.get()), weak(i)};
        const DLTensor *place = z.get();
        kern_call_request here = *options;
        wrong += kern_call(add, values, 2, &place, nullptr, 1, &here.call,
                           nullptr) != KERN_OK;
        wrong += out.front() != float(t + i) || out.back() != float(t + i);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(CudaPlans, ManyThreadsCallOneFunction) {
  gpu.keepsLaunches = false;
  ManagedArray a = device({1, 2, 3});
  kern_function *add = find("add");
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        kern_value values[] = {value(&a->dl_tensor), weak(i)};
        DLManagedTensor *made = nullptr;
        wrong += kern_call(add, values, 2, nullptr, &made, 1, nullptr,
                           nullptr) != KERN_OK;
        ManagedArray owner(made);
        wrong += !made || *gpu.at<float>(int64_t(reinterpret_cast<uintptr_t>(
                              made->dl_tensor.data))) != float(1 + i);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(HostPlans, MemoryDoesNotGrow) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "AddressSanitizer keeps what is freed";
#endif
  kern_function *add = find("add");
  std::vector<float> a(3000, 1), out(3000);
  auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) {
      // Two of three are like earlier ones; every third has a shape of its own.
      int64_t n = i % 3 ? 7 : 1 + i % 3000;
      Tensor<float> x(a.data(), {n}), z(out.data(), {n});
      kern_value values[] = {value(x.get()), weak(i)};
      const DLTensor *place = i % 2 ? z.get() : nullptr;
      DLManagedTensor *made = nullptr;
      ASSERT_EQ(
          kern_call(add, values, 2, &place, &made, 1, &options->call, nullptr),
          KERN_OK);
      ManagedArray owner(made);
    }
  };
  calls(20000);
  long before = residentBytes();
  calls(200000);
  EXPECT_LT(residentBytes() - before, 4 << 20);
}

TEST_F(CudaPlans, DeviceMemoryDoesNotGrow) {
  gpu.keepsLaunches = false;
  ManagedArray a = device(iota<float>(64));
  auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) {
      Tensor<float> x(static_cast<float *>(a->dl_tensor.data), {1 + i % 64}, {},
                      {kDLCUDA, 0});
      ASSERT_EQ(call("add", {value(x.get()), weak(1)}), KERN_OK);
    }
    results.clear();
  };
  calls(1000);
  int live = gpu.live();
  size_t used = gpu.used;
  calls(20000);
  EXPECT_EQ(gpu.live(), live);
  EXPECT_EQ(gpu.used, used);
}

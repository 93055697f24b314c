//===- AutomaticPlaceTest.cpp - calls that let Kern choose ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AllocationCount.h"
#include "FakeCode.h"
#include "FakeDriver.h"
#include "PlacedCaller.h"
#include "kern/places.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <malloc.h>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// Transfers that take longer than a little work, however slow that is under a
/// sanitizer.
struct Gpu {
  FakeDriver driver{
      FakeDriver::Options{.transferTime = std::chrono::microseconds(200)}};
};
struct AutomaticPlace : testing::Test, Gpu, PlacedCaller {
  AutomaticPlace() { options = askingFor({kDLCUDA, KERN_AUTO}); }
};

/// Calls whose estimates are close.
struct CloseCalls : AutomaticPlace {
  std::array<char, 4096> text = {};
  std::vector<float> numbers;

  CloseCalls() {
    options->threads = 1;
    options->explanation = text.data();
    options->explanation_size = text.size();
  }

  /// Adds 1 to so many numbers; where that ran.
  kern_device place(size_t n) {
    numbers = iota<float>(n);
    text = {};
    Tensor<float> y(numbers.data(), {int64_t(n)});
    EXPECT_EQ(call("heavy", {value(y.get()), weakFloat(1)}), KERN_OK)
        << kern_last_error();
    EXPECT_EQ(valuesOf<float>(result()), iota<float>(n, 1));
    return report.device;
  }
  bool says(const char *words) const {
    return std::string(text.data()).find(words) != std::string::npos;
  }
  /// A number of elements for which both places take about as long.
  size_t closeSize() {
    for (size_t n = 4; n < (1 << 20); n += n / 2) {
      place(n);
      if (says("which is close"))
        return n;
    }
    ADD_FAILURE() << "no size is close";
    return 1;
  }
};

std::atomic<int> newPages = 0;
/// Counts results whose second page is not in memory; in the first one the
/// allocator has written.
void countNewPage(const void *result) {
  const auto page = uintptr_t(::sysconf(_SC_PAGESIZE));
  const auto second = (reinterpret_cast<uintptr_t>(result) / page + 1) * page;
  unsigned char isThere = 0;
  newPages += ::mincore(reinterpret_cast<void *>(second), 1, &isThere) == 0 &&
              !(isThere & 1);
}
} // namespace

// `add` computes little, `heavy` much for each byte (FakeCode.cpp).
TEST_F(AutomaticPlace, TakesTheFaster) {
  options->threads = 1;
  EXPECT_EQ(placeOf("add").device_type, kDLCPU);
  EXPECT_EQ(placeOf("heavy").device_type, kDLCUDA);
  EXPECT_EQ(report.device.device_id, 0);
  char text[4096] = {};
  options->explanation = text;
  options->explanation_size = sizeof text;
  (void)placeOf("heavy");
  EXPECT_TRUE(std::string(text).starts_with("auto: ")) << text;
  EXPECT_NE(std::string(text).find("ms on cpu and "), std::string::npos);
  EXPECT_NE(std::string(text).find("on cuda:0 expected, "), std::string::npos)
      << text;
  // 1000 elements of 2 us on one thread, as measured.
  const double expected = std::strtod(text + std::strlen("auto: "), nullptr);
  EXPECT_GE(expected, 1.8) << text;
  EXPECT_LT(expected, 20) << text;
  // Numbers alone have nothing to gain.
  ASSERT_EQ(call("heavy", {scalar<float>(1), weakFloat(2)}), KERN_OK);
  EXPECT_EQ(report.device.device_type, kDLCPU);
}

// Of a result that no memory holds there is no estimate.
TEST_F(AutomaticPlace, ResultsTooLarge) {
  options->shape_ndim = 2;
  const int64_t shape[] = {int64_t(1) << 31, int64_t(1) << 31};
  options->shape = shape;
  float number = 1;
  Tensor<float> x(&number, {1});
  EXPECT_EQ(call("add", {value(x.get()), weak(1)}), KERN_ERROR_MEMORY);
  EXPECT_NE(std::string(kern_last_error()).find("`add`: an array of shape"),
            std::string::npos)
      << kern_last_error();
  options->shape = nullptr;
  options->shape_ndim = 0;
  EXPECT_EQ(call("tile", {scalar<double>(1), weak(int64_t(1) << 61)}),
            KERN_ERROR_MEMORY)
      << kern_last_error();
}

// A call that was placed on the CPU is planned, and measures nothing again.
TEST_F(AutomaticPlace, OnTheCpuIsPlanned) {
  (void)placeOf();
  const int calls = driver.total();
  for (int i = 0; i < 5; ++i)
    (void)placeOf();
  EXPECT_EQ(driver.total(), calls);
}

// The kernel runs on a few elements first, and not on the caller's results.
TEST_F(AutomaticPlace, MeasuresAside) {
  options->threads = 1;
  std::vector<double> rows = iota<double>(40000), out(401, -1);
  Tensor<double> x(rows.data(), {400, 100}), y(out.data(), {400});
  Tensor<double> far(out.data() + 1, {400});
  for (const DLTensor *result : {y.get(), far.get()}) {
    ASSERT_EQ(call("total", {value(x.get())}, {result}), KERN_OK)
        << kern_last_error();
    for (int i = 0; i < 400; ++i)
      ASSERT_EQ(static_cast<double *>(result->data)[i],
                100 * 100 * i + 99 * 50);
  }
  // In place: the arguments are as they were when the call begins.
  std::vector<float> values = iota<float>(1000);
  Tensor<float> z(values.data(), {1000});
  ASSERT_EQ(call("heavy", {value(z.get()), weakFloat(1)}, {z.get()}), KERN_OK);
  EXPECT_EQ(values, iota<float>(1000, 1));
}

// The first calls run at both places, and the faster one has the others.
TEST_F(CloseCalls, AreMeasured) {
  const size_t n = closeSize();
  std::set<int> places;
  int trials = 1;
  for (; trials < 80; ++trials) {
    const kern_device device = place(n);
    if (!says("which is close"))
      break;
    places.insert(device.device_type);
  }
  EXPECT_EQ(places, (std::set<int>{kDLCPU, kDLCUDA}));
  EXPECT_TRUE(says("measured, so it runs on ")) << text.data();
  for (int i = 0; i < 5; ++i) {
    const kern_device device = place(n);
    EXPECT_TRUE(says(device.device_type == kDLCPU ? "so it runs on cpu"
                                                  : "so it runs on cuda:0"))
        << text.data();
  }
}

// A trial must not fail where the CPU would have run the call.
TEST_F(CloseCalls, NeedNoMemoryOfTheGpu) {
  const size_t n = closeSize();
  driver.options.memory = 1;
  for (int i = 0; i < 80; ++i)
    EXPECT_EQ(place(n).device_type, kDLCPU);
  EXPECT_FALSE(says("which is close")) << text.data();
}

// Nor for any other reason, where the CPU is expected to be faster.
TEST_F(CloseCalls, DoNotFailOnTheGpu) {
  const size_t n = closeSize();
  ASSERT_TRUE(says("measured on cpu")) << text.data();
  driver.failAt("cuLaunchKernel", 1, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  for (int i = 0; i < 80; ++i)
    EXPECT_EQ(place(n).device_type, kDLCPU);
  EXPECT_TRUE(says("never on cuda:0 measured")) << text.data();
}

// A prepared call stays where it is put: a trial must not decide where.
TEST_F(CloseCalls, AreNotTriedPrepared) {
  const size_t n = closeSize();
  ASSERT_TRUE(says("measured on cpu")) << text.data();
  kern_call_request asked = *options;
  asked.explanation = nullptr;
  asked.explanation_size = 0;
  for (int i = 0; i < 80; ++i) {
    std::vector<float> in(n), out(n);
    Tensor<float> y(in.data(), {int64_t(n)}), z(out.data(), {int64_t(n)});
    const kern_value inputs[] = {value(y.get()), weakFloat(1)};
    const DLTensor *const output = z.get();
    kern_prepared *prepared = nullptr;
    const kern_status status = kern_prepare(find("heavy"), inputs, 2, &output,
                                            1, &asked.call, &prepared);
    const std::string problem = status ? kern_last_error() : "";
    kern_prepared_release(prepared);
    (void)place(n);
    if (!says("which is close"))
      return;
    ASSERT_EQ(problem, "") << "beside trial " << i;
  }
  ADD_FAILURE() << "the trials do not end";
}

// Arguments that are written are computed with where they are expected to be
// faster: a trial that failed could not be repeated.
TEST_F(CloseCalls, AreNotTriedInPlace) {
  const size_t n = closeSize();
  std::set<int> places;
  for (int i = 0; i < 80; ++i) {
    numbers = iota<float>(n);
    Tensor<float> y(numbers.data(), {int64_t(n)});
    ASSERT_EQ(call("heavy", {value(y.get()), weakFloat(1)}, {y.get()}),
              KERN_OK);
    EXPECT_EQ(numbers, iota<float>(n, 1));
    places.insert(report.device.device_type);
  }
  EXPECT_EQ(places.size(), 1u);
}

// What is measured is the kernel, and not the making of pages for results.
TEST_F(AutomaticPlace, MeasuresInMemoryThatIsThere) {
  if (!AllocationFailure::isPossible())
    GTEST_SKIP() << "under a sanitizer the kernel is so slow that what is "
                    "measured has no second page";
  constexpr int64_t n = 1 << 21;
  std::vector<float> many(n, 1), out(n);
  Tensor<float> y(many.data(), {n}), z(out.data(), {n});
  // Large blocks come from the system, and go back to it.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  newPages = 0;
  beforeAdd = countNewPage;
  const kern_status status =
      call("add", {value(y.get()), weakFloat(1)}, {z.get()});
  beforeAdd = nullptr;
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ASSERT_EQ(status, KERN_OK) << kern_last_error();
  EXPECT_EQ(newPages, 0);
}

// Page-locked arrays need no copies.
TEST_F(AutomaticPlace, KnowsPageLockedArrays) {
  char text[4096] = {};
  options->explanation = text;
  options->explanation_size = sizeof text;
  constexpr int64_t n = 1 << 22;
  auto onGpu = [&](kern_device memory) {
    const int64_t shape[] = {n};
    DLManagedTensor *made[2] = {};
    std::vector<ManagedArray> owners;
    for (DLManagedTensor *&array : made) {
      EXPECT_EQ(kern_array_new(KERN_F32, 1, shape, memory, &array), KERN_OK)
          << kern_last_error();
      owners.emplace_back(array);
      std::fill_n(static_cast<float *>(array->dl_tensor.data), n, 1.0f);
    }
    EXPECT_EQ(call("add", {value(&made[0]->dl_tensor), weakFloat(1)},
                   {&made[1]->dl_tensor}),
              KERN_OK)
        << kern_last_error();
    const char *of = std::strstr(text, "on cpu and ");
    return of ? std::strtod(of + std::strlen("on cpu and "), nullptr) : 0;
  };
  const double pageable = onGpu({kDLCPU, 0}), pinned = onGpu({kDLCUDAHost, 0});
  EXPECT_GT(pinned, 0) << text;
  EXPECT_LT(pinned, 0.8 * pageable);
}

// A body whose loops go in order has one thread of the GPU, which waits for
// memory in each iteration.
TEST_F(AutomaticPlace, KnowsLoopsInOrder) {
  char text[4096] = {};
  options->explanation = text;
  options->explanation_size = sizeof text;
  constexpr int64_t n = 1 << 20;
  std::vector<double> row(n, 1);
  Tensor<double> v(row.data(), {1, n});
  ASSERT_EQ(call("total", {value(v.get())}), KERN_OK) << kern_last_error();
  const char *of = std::strstr(text, "on cpu and ");
  ASSERT_NE(of, nullptr) << text;
  EXPECT_GT(std::strtod(of + std::strlen("on cpu and "), nullptr), 100) << text;
  EXPECT_EQ(report.device.device_type, kDLCPU);
}

// An array for the result of a gufunc goes to the GPU too: the body may leave
// something of it as it was.
TEST_F(AutomaticPlace, KnowsWhatMayBeKept) {
  char text[4096] = {};
  options->explanation = text;
  options->explanation_size = sizeof text;
  constexpr int64_t elements = 128, n = 8192;
  std::vector<double> values(elements, 1), out(elements * n);
  Tensor<double> v(values.data(), {elements}), y(out.data(), {elements, n});
  auto onGpu = [&](const char *function,
                   std::vector<const DLTensor *> results) {
    EXPECT_EQ(call(function, {value(v.get()), weak(n)}, results), KERN_OK)
        << kern_last_error();
    const char *of = std::strstr(text, "on cpu and ");
    return of ? std::strtod(of + std::strlen("on cpu and "), nullptr) : 0;
  };
  const double into = onGpu("tile", {y.get()}), anew = onGpu("tile", {});
  EXPECT_GT(anew, 0) << text;
  EXPECT_GT(into, anew);
  EXPECT_EQ(onGpu("tile_whole", {y.get()}), anew);
}

// A GPU without memory to measure with is not chosen.
TEST_F(AutomaticPlace, WithoutMemory) {
  driver.options.memory = 1000;
  char text[4096] = {};
  options->explanation = text;
  options->explanation_size = sizeof text;
  EXPECT_EQ(placeOf("heavy").device_type, kDLCPU);
  EXPECT_NE(std::string(text).find("auto: cuda:0 cannot be measured"),
            std::string::npos)
      << text;
  driver.options.memory = size_t(1) << 40;
  options->threads = 1;
  EXPECT_EQ(placeOf("heavy").device_type, kDLCUDA) << "it is measured later";
}

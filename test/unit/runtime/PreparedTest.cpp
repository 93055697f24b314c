//===- PreparedTest.cpp - prepared calls ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AllocationCount.h"
#include "Arrays.h"
#include "FakeDriver.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
using PreparedCall = std::unique_ptr<kern_prepared, void (*)(kern_prepared *)>;

class Prepared : public testing::Test {
protected:
  PreparedCall prepare(const char *name, std::vector<kern_value> inputs,
                       std::vector<const DLTensor *> outputs,
                       bool onHost = true) {
    kern_call_request options = onHost ? onTheHost() : onTheGpu();
    kern_prepared *made = nullptr;
    status = kern_prepare(caller->find(name), inputs.data(), inputs.size(),
                          outputs.data(), outputs.size(), &options.call, &made);
    return PreparedCall(made, kern_prepared_release);
  }
  void refused(kern_status expected, const char *what) {
    EXPECT_EQ(status, expected);
    EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
        << kern_last_error();
  }
  kern_status launch(const PreparedCall &call, std::vector<const void *> inputs,
                     std::vector<void *> outputs, void *stream = nullptr) {
    return status =
               kern_prepared_launch(call.get(), inputs.data(), inputs.size(),
                                    outputs.data(), outputs.size(), stream);
  }

  FakeDriver gpu;
  std::optional<Caller> caller{std::in_place};
  kern_status status = KERN_OK;
};
} // namespace

TEST_F(Prepared, OnTheHost) {
  alignas(64) double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {};
  Tensor<double> x(a, {2, 2}, {1, 2}), z(out, {2, 2});
  PreparedCall call = prepare("add", {value(x.get()), weakFloat(0)}, {z.get()});
  ASSERT_EQ(status, KERN_OK) << kern_last_error();
  EXPECT_EQ(out[0], 0) << "preparing does not run";
  double number = 0.5;
  AllocationCount count;
  ASSERT_EQ(launch(call, {a, &number}, {out}), KERN_OK) << kern_last_error();
  EXPECT_EQ(std::vector<double>(out, out + 4),
            (std::vector<double>{1.5, 3.5, 2.5, 4.5}));
  number = 10;
  ASSERT_EQ(launch(call, {a + 4, &number}, {out + 4}), KERN_OK);
  EXPECT_EQ(std::vector<double>(out + 4, out + 8),
            (std::vector<double>{15, 17, 16, 18}));
}

TEST_F(Prepared, EmptyArrays) {
  Tensor<double> none(nullptr, {0, 3}), out(nullptr, {0, 3});
  PreparedCall call =
      prepare("add", {value(none.get()), weakFloat(1)}, {out.get()});
  ASSERT_EQ(status, KERN_OK) << kern_last_error();
  double number = 2, anything = 0;
  EXPECT_EQ(launch(call, {nullptr, &number}, {nullptr}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(launch(call, {&anything, &number}, {&anything}), KERN_OK);
  launch(call, {nullptr, nullptr}, {nullptr});
  refused(KERN_ERROR_ARGUMENT, "argument 2 (`y`) is missing");
  // Of another type and written in place too: nothing of them is read.
  Tensor<float> narrow(nullptr, {0, 3});
  prepare("add", {value(narrow.get()), value(out.get())}, {out.get()});
  EXPECT_EQ(status, KERN_OK) << kern_last_error();
  // On a GPU nothing is launched.
  Tensor<double> there(nullptr, {0, 3}, {}, {kDLCUDA, 0});
  call = prepare("add", {value(there.get()), weakFloat(1)}, {there.get()},
                 /*onHost=*/false);
  ASSERT_EQ(status, KERN_OK) << kern_last_error();
  EXPECT_EQ(launch(call, {nullptr, &number}, {nullptr}), KERN_OK);
  EXPECT_TRUE(gpu.launches.empty());
}

TEST_F(Prepared, OutlivesItsModule) {
  double a[2] = {1, 2}, out[2] = {};
  PreparedCall call =
      prepare("add", {value(Tensor<double>(a, {2}).get()), weak(1)},
              {Tensor<double>(out, {2}).get()});
  ASSERT_EQ(status, KERN_OK);
  caller.reset();
  int64_t number = 5;
  ASSERT_EQ(launch(call, {a, &number}, {out}), KERN_OK);
  EXPECT_EQ(out[1], 7);
}

TEST_F(Prepared, OnAGpuIsOneDriverCall) {
  float host[4] = {1, 2, 3, 4};
  DLManagedTensor *copy = nullptr, *place = nullptr;
  int64_t shape[] = {4};
  ASSERT_EQ(
      kern_array_copy(Tensor<float>(host, {4}).get(), {kDLCUDA, 0}, &copy),
      KERN_OK);
  ManagedArray x(copy);
  ASSERT_EQ(kern_array_new(KERN_F32, 1, shape, {kDLCUDA, 0}, &place), KERN_OK);
  ManagedArray z(place);
  PreparedCall call = prepare("add", {value(&x->dl_tensor), scalar<float>(0)},
                              {&z->dl_tensor}, false);
  ASSERT_EQ(status, KERN_OK) << kern_last_error();
  EXPECT_TRUE(gpu.launches.empty());
  float number = 0.25f;
  ASSERT_EQ(launch(call, {x->dl_tensor.data, &number}, {z->dl_tensor.data}),
            KERN_OK);
  gpu.calls.clear();
  number = 0.5f;
  ASSERT_EQ(launch(call, {x->dl_tensor.data, &number}, {z->dl_tensor.data}),
            KERN_OK);
  EXPECT_EQ(gpu.total(), 1);
  EXPECT_EQ(
      *gpu.at<float>(int64_t(reinterpret_cast<uintptr_t>(z->dl_tensor.data))),
      1.5f);
  auto *stream = reinterpret_cast<void *>(uintptr_t(0x99));
  ASSERT_EQ(
      launch(call, {x->dl_tensor.data, &number}, {z->dl_tensor.data}, stream),
      KERN_OK);
  EXPECT_EQ(gpu.launches.back().stream, stream);
}

TEST_F(Prepared, WhatCannotBePrepared) {
  double a[4] = {}, out[4] = {};
  float single[4] = {};
  int16_t narrow[4] = {};
  Tensor<double> x(a, {4}), z(out, {4}), row(a, {2}), over(a + 1, {3}),
      part(a, {3});
  Tensor<float> s(single, {4});
  Tensor<int16_t> i(narrow, {4});
  DLDevice there = {kDLCUDA, 0};
  Tensor<double> onGpu(a, {4}, {}, there);
  Tensor<float> singleThere(single, {4}, {}, there);
  Tensor<int16_t> narrowThere(narrow, {4}, {}, there);
  prepare("add", {value(narrowThere.get()), value(onGpu.get())}, {onGpu.get()},
          false);
  refused(KERN_ERROR_ARGUMENT,
          "cannot be prepared for this call: argument 1 (`x`) is converted "
          "from i16 to f64");
  prepare("add", {value(onGpu.get()), value(onGpu.get())}, {singleThere.get()},
          false);
  refused(KERN_ERROR_ARGUMENT, "result 1 is converted from f64 to f32");
  // On the host ufuncs convert on the way; gufuncs do not.
  prepare("add", {value(i.get()), value(x.get())}, {s.get()});
  EXPECT_EQ(status, KERN_OK) << kern_last_error();
  prepare("total", {value(s.get())}, {Tensor<double>(out, {}).get()});
  refused(KERN_ERROR_ARGUMENT, "argument 1 (`x`) is converted from f32 to f64");
  Tensor<double> back(a + 2, {3}, {-1});
  prepare("add", {value(part.get()), weak(1)}, {back.get()});
  refused(KERN_ERROR_ARGUMENT, "overlaps an array that is written");
  // Except for elements that are read, in order, before they are overwritten.
  prepare("add", {value(part.get()), weak(1)}, {over.get()});
  EXPECT_EQ(status, KERN_OK) << kern_last_error();
  prepare("add", {value(x.get()), value(x.get())}, {z.get()}, false);
  refused(KERN_ERROR_ARGUMENT, "argument 1 (`x`) is brought to cuda:0");
  prepare("add", {value(x.get()), weak(1)}, {nullptr});
  refused(KERN_ERROR_ARGUMENT, "without an array for result 1");
  prepare("add", {value(x.get()), weak(1)}, {});
  refused(KERN_ERROR_ARGUMENT, "`add` has 1 result, 0 were asked for");
  // And calls that kern_call() refuses.
  prepare("add", {value(x.get()), value(row.get())}, {z.get()});
  refused(KERN_ERROR_SHAPE, "do not broadcast");
  EXPECT_EQ(kern_prepare(nullptr, nullptr, 0, nullptr, 0, nullptr, nullptr),
            KERN_ERROR_ARGUMENT);
}

TEST_F(Prepared, WhatItWasNotPreparedFor) {
  alignas(64) double a[16] = {}, out[16] = {};
  Tensor<double> x(a, {4}), z(out, {4});
  PreparedCall apart = prepare("add", {value(x.get()), weak(1)}, {z.get()});
  ASSERT_EQ(status, KERN_OK);
  int64_t one = 1, big = 300;
  launch(apart, {a, &one}, {nullptr});
  refused(KERN_ERROR_ARGUMENT, "`add`: result 1 is missing (NULL)");
  launch(apart, {nullptr, &one}, {out});
  refused(KERN_ERROR_ARGUMENT, "argument 1 (`x`) is missing (NULL)");
  launch(apart, {a, nullptr}, {out});
  refused(KERN_ERROR_ARGUMENT, "argument 2 (`y`) is missing (NULL)");
  EXPECT_EQ(kern_prepared_launch(apart.get(), nullptr, 2, nullptr, 1, nullptr),
            KERN_ERROR_ARGUMENT);
  EXPECT_EQ(kern_prepared_launch(nullptr, nullptr, 2, nullptr, 1, nullptr),
            KERN_ERROR_ARGUMENT);
  launch(apart, {a}, {out});
  refused(KERN_ERROR_ARGUMENT, "`add` takes 2 arguments (x, y), 1 was given");
  launch(apart, {a, &one, &one}, {out});
  refused(KERN_ERROR_ARGUMENT, "`add` takes 2 arguments (x, y), 3 were given");
  launch(apart, {a, &one}, {});
  refused(KERN_ERROR_ARGUMENT, "`add` has 1 result, 0 were asked for");
  launch(apart, {a, &one}, {out, out});
  refused(KERN_ERROR_ARGUMENT, "`add` has 1 result, 2 were asked for");
  launch(apart, {a + 1, &one}, {out});
  refused(KERN_ERROR_ARGUMENT, "lies 8 bytes past a multiple of 16; the call "
                               "was prepared for one that lies 0 bytes");
  launch(apart, {a, &big}, {out});
  refused(KERN_ERROR_TYPE, "is 300, which casts to other types");
  launch(apart, {a, &one}, {a + 2});
  refused(KERN_ERROR_OVERLAP, "result 1 and argument 1 (`x`) overlap");
  launch(apart, {a, &one}, {a});
  refused(KERN_ERROR_OVERLAP, "overlap");
  PreparedCall inPlace = prepare("add", {value(x.get()), weak(1)}, {x.get()});
  ASSERT_EQ(status, KERN_OK);
  EXPECT_EQ(launch(inPlace, {a, &one}, {a}), KERN_OK);
  EXPECT_EQ(a[3], 1);
  launch(inPlace, {a, &one}, {out});
  refused(KERN_ERROR_OVERLAP, "do not overlap in the way");
  EXPECT_EQ(out[0], 0) << "nothing ran";
}

// What launch() refuses, apart from NULL and counts: no failure, no message,
// and nothing has run.
TEST_F(Prepared, IsTriedWhereThereIsAnotherWay) {
  alignas(64) double a[16] = {1, 2, 3, 4}, out[16] = {};
  Tensor<double> x(a, {4}), z(out, {4});
  PreparedCall apart = prepare("add", {value(x.get()), weak(1)}, {z.get()});
  ASSERT_EQ(status, KERN_OK);
  auto tries = [&](std::vector<const void *> inputs,
                   std::vector<void *> outputs) {
    int hasRun = -1;
    AllocationCount count;
    status = kern_prepared_try_launch(apart.get(), inputs.data(), inputs.size(),
                                      outputs.data(), outputs.size(), nullptr,
                                      &hasRun);
    EXPECT_EQ(count.made(), 0);
    return hasRun;
  };
  int64_t one = 1, big = 300;
  EXPECT_EQ(tries({a, &one}, {out}), 1);
  EXPECT_EQ(status, KERN_OK);
  EXPECT_EQ(out[3], 5);
  std::ranges::fill(out, 0);
  struct {
    std::vector<const void *> inputs;
    std::vector<void *> outputs;
    kern_status refusal;
  } misfits[] = {{{a + 1, &one}, {out}, KERN_ERROR_ARGUMENT},
                 {{a, &big}, {out}, KERN_ERROR_TYPE},
                 {{a, &one}, {a + 2}, KERN_ERROR_OVERLAP},
                 {{a, &one}, {a}, KERN_ERROR_OVERLAP}};
  for (auto &[inputs, outputs, refusal] : misfits) {
    EXPECT_EQ(tries(inputs, outputs), 0);
    EXPECT_EQ(status, KERN_OK);
    EXPECT_EQ(launch(apart, inputs, outputs), refusal);
  }
  EXPECT_EQ(a[2], 3);
  EXPECT_EQ(out[0], 0);
  int hasRun = -1;
  const void *missing[] = {a, nullptr};
  void *place[] = {out};
  EXPECT_EQ(kern_prepared_try_launch(apart.get(), missing, 2, place, 1, nullptr,
                                     &hasRun),
            KERN_ERROR_ARGUMENT);
  EXPECT_EQ(hasRun, 0);
  EXPECT_EQ(kern_prepared_try_launch(apart.get(), missing, 1, place, 1, nullptr,
                                     &hasRun),
            KERN_ERROR_ARGUMENT);
}

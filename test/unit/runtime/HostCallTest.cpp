//===- HostCallTest.cpp - calls on the CPU --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostCaller.h"

#include <thread>

using namespace kern::runtime;
using namespace kern::test;

namespace {
using HostCall = HostCaller;
} // namespace

TEST_F(HostCall, ReportsWhatItDid) {
  auto a = iota<float>(100);
  ASSERT_EQ(call("add", {value(Tensor<float>(a.data(), {100}).get()), weak(1)}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(valuesOf<float>(result()), iota<float>(100, 1));
  EXPECT_STREQ(report.kernel, "add_f32_contiguous");
  EXPECT_STREQ(report.form, "contiguous");
  EXPECT_EQ(report.elements, 100);
  EXPECT_EQ(report.grid, 1u);
  EXPECT_EQ(report.device.device_type, kDLCPU);
}

TEST_F(HostCall, LargeArraysUseThreads) {
  size_t rows = 600, columns = 700;
  auto a = iota<double>(rows * columns), b = a;
  int64_t r = int64_t(rows), c = int64_t(columns);
  // Transposed and contiguous: strided tiles.
  ASSERT_EQ(call("add", {value(Tensor<double>(a.data(), {c, r}, {1, c}).get()),
                         value(Tensor<double>(b.data(), {c, r}).get())}),
            KERN_OK);
  auto got = valuesOf<double>(result());
  for (size_t i = 0; i < columns; ++i)
    for (size_t j = 0; j < rows; ++j)
      ASSERT_EQ(got[i * rows + j], a[j * columns + i] + b[i * rows + j]);
  // A row broadcast over rows, and a column: splats.
  auto row = iota<double>(columns, 5), column = iota<double>(rows, 9);
  ASSERT_EQ(call("add", {value(Tensor<double>(row.data(), {c}).get()),
                         value(Tensor<double>(a.data(), {r, c}).get())}),
            KERN_OK);
  EXPECT_STREQ(report.form, "contiguous");
  got = valuesOf<double>(result());
  for (size_t i = 0; i < rows * columns; ++i)
    ASSERT_EQ(got[i], a[i] + row[i % columns]);
  ASSERT_EQ(call("add", {value(Tensor<double>(column.data(), {r, 1}).get()),
                         value(Tensor<double>(a.data(), {r, c}).get())}),
            KERN_OK);
  EXPECT_STREQ(report.form, "contiguous");
  got = valuesOf<double>(result());
  for (size_t i = 0; i < rows * columns; ++i)
    ASSERT_EQ(got[i], a[i] + column[i / columns]);
  ASSERT_EQ(call("add", {value(Tensor<double>(a.data(), {r * c}).get()),
                         weakFloat(0.5)}),
            KERN_OK);
  got = valuesOf<double>(result());
  for (size_t i = 0; i < rows * columns; ++i)
    ASSERT_EQ(got[i], a[i] + 0.5);
}

TEST_F(HostCall, SeveralThreadsMayCall) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Caller mine;
      mine.options = options;
      auto a = iota<double>(300000, t);
      for (int i = 0; i < 10; ++i) {
        ASSERT_EQ(
            mine.call("add", {value(Tensor<double>(a.data(), {300000}).get()),
                              weak(t)}),
            KERN_OK);
        auto got = valuesOf<double>(mine.result());
        for (size_t k = 0; k < got.size(); k += 999)
          ASSERT_EQ(got[k], double(k) + 2 * t);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(HostCall, CastsInputsAndOutputs) {
  auto a = iota<int16_t>(5);
  Tensor<int16_t> x(a.data(), {5});
  ASSERT_EQ(call("add", {value(x.get()), scalar<float>(0.5f)}), KERN_OK);
  EXPECT_EQ(valuesOf<float>(result()),
            (std::vector<float>{0.5, 1.5, 2.5, 3.5, 4.5}));
  // f64 loop into f32: same_kind. Every second element.
  std::vector<float> out(10, -1);
  auto d = iota<double>(5);
  Tensor<double> y(d.data(), {5});
  ASSERT_EQ(call("add", {value(y.get()), weakFloat(0.25)},
                 {Tensor<float>(out.data(), {5}, {2}).get()}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(out, (std::vector<float>{0.25, -1, 1.25, -1, 2.25, -1, 3.25, -1,
                                     4.25, -1}));
  std::vector<int32_t> integers(5);
  EXPECT_EQ(call("add", {value(y.get()), weak(1)},
                 {Tensor<int32_t>(integers.data(), {5}).get()}),
            KERN_ERROR_TYPE);
  EXPECT_NE(std::string(kern_last_error())
                .find("cannot cast result 1 from f64 to i32"),
            std::string::npos);
}

TEST_F(HostCall, CoreDimensions) {
  auto a = iota<double>(2 * 3 * 4), b = iota<double>(4 * 5);
  ASSERT_EQ(
      call("matmul", {value(Tensor<double>(a.data(), {2, 3, 4}).get()),
                      value(Tensor<double>(b.data(), {4, 5}, {1, 4}).get())}),
      KERN_OK);
  auto got = valuesOf<double>(result());
  for (size_t e = 0; e < 2; ++e)
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 5; ++j) {
        double sum = 0;
        for (size_t k = 0; k < 4; ++k)
          sum += a[(e * 3 + i) * 4 + k] * b[k + 4 * j];
        EXPECT_EQ(got[(e * 3 + i) * 5 + j], sum);
      }
  EXPECT_STREQ(report.form, "general");
  auto big = iota<double>(1000 * 200);
  Tensor<double> columns(big.data(), {200, 1000}, {1, 200});
  ASSERT_EQ(call("total", {value(columns.get())}), KERN_OK);
  got = valuesOf<double>(result());
  for (size_t i = 0; i < 200; ++i)
    ASSERT_EQ(got[i], 1000.0 * double(i) + 200.0 * 999 * 1000 / 2);
}

// Else a product with one column would go the way of arrays with gaps.
TEST_F(HostCall, OneCoreElementHasNoGaps) {
  auto a = iota<double>(6), b = iota<double>(3, 5);
  std::vector<char> text(1024);
  options->explanation = text.data();
  options->explanation_size = text.size();
  ASSERT_EQ(
      call("matmul", {value(Tensor<double>(a.data(), {2, 3}).get()),
                      value(Tensor<double>(b.data(), {3, 1}, {1, 70}).get())}),
      KERN_OK)
      << kern_last_error();
  EXPECT_EQ(valuesOf<double>(result()), (std::vector<double>{20, 74}));
  EXPECT_NE(std::string(text.data()).find("8 bytes at a time"),
            std::string::npos);
  EXPECT_EQ(std::string(text.data()).find("apart"), std::string::npos)
      << text.data();
}

TEST_F(HostCall, WrittenInputs) {
  auto a = iota<double>(6), factors = iota<double>(2, 10);
  Tensor<double> x(a.data(), {2, 3}), f(factors.data(), {2});
  ASSERT_EQ(call("scale", {value(x.get()), value(f.get())}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(a, (std::vector<double>{0, 10, 20, 33, 44, 55}));
  // Through another type, and only of the same kind.
  auto single = iota<float>(3);
  Tensor<float> y(single.data(), {3});
  ASSERT_EQ(call("scale", {value(y.get()), weak(2)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(single, (std::vector<float>{0, 2, 4}));
  auto integers = iota<int32_t>(3);
  Tensor<int32_t> z(integers.data(), {3});
  EXPECT_EQ(call("scale", {value(z.get()), weak(2)}), KERN_ERROR_TYPE);
  // It is not broadcast, not a number, and shares no memory partly.
  EXPECT_EQ(call("scale",
                 {value(Tensor<double>(a.data(), {3}).get()), value(f.get())}),
            KERN_ERROR_SHAPE);
  EXPECT_EQ(call("scale", {weak(1), weak(2)}), KERN_ERROR_ARGUMENT);
  EXPECT_EQ(call("scale", {value(x.get()),
                           value(Tensor<double>(a.data() + 1, {2}).get())}),
            KERN_ERROR_OVERLAP);
}

TEST_F(HostCall, DimParameters) {
  auto a = iota<double>(2, 1);
  Tensor<double> x(a.data(), {2});
  ASSERT_EQ(call("tile", {value(x.get()), weak(3)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(valuesOf<double>(result()),
            (std::vector<double>{1, 1, 1, 2, 2, 2}));
  ASSERT_EQ(call("tile", {value(x.get()), scalar<uint8_t>(2)}), KERN_OK);
  EXPECT_EQ(result().shape[1], 2);
  ASSERT_EQ(call("tile", {value(x.get()), weak(0)}), KERN_OK);
  EXPECT_EQ(call("tile", {value(x.get()), weak(-1)}), KERN_ERROR_ARGUMENT);
  EXPECT_EQ(call("tile", {value(x.get()), weakFloat(2)}), KERN_ERROR_ARGUMENT);
  EXPECT_EQ(call("tile", {value(x.get()), value(x.get())}),
            KERN_ERROR_ARGUMENT);
}

TEST_F(HostCall, AsksForTheKernelThatTheLayoutNeeds) {
  auto a = iota<float>(20), b = iota<float>(20);
  std::vector<float> other(20);
  // What the call made the runtime ask for: each kernel is asked for once.
  auto wanted = [&](auto x, auto y, auto out) {
    EXPECT_EQ(call("add", {value(x.get()), value(y.get())}, {out.get()}),
              KERN_OK)
        << kern_last_error();
    return lastWanted;
  };
  Tensor<float> x(a.data(), {20}), y(b.data(), {20}), out(other.data(), {20});
  EXPECT_EQ(wanted(x, y, out), (KernelVariant{Form::Contiguous, true}));
  EXPECT_EQ(wanted(x, y, x), (KernelVariant{Form::Contiguous, false}))
      << "in place";
  Tensor<float> even(a.data(), {10}, {2}), half(other.data(), {10});
  EXPECT_EQ(wanted(even, even, half), (KernelVariant{Form::Contiguous, false}))
      << "the host asks for nothing new: it packs";
  EXPECT_STREQ(report.form, "strided");
  auto c = iota<double>(20);
  Tensor<double> first(c.data(), {19}), shifted(c.data() + 1, {19}),
      reversed(c.data() + 18, {19}, {-1});
  EXPECT_EQ(wanted(first, first, shifted),
            (KernelVariant{Form::Contiguous, false}))
      << "inputs are read before they are overwritten, in order";
  EXPECT_EQ(wanted(first, first, reversed),
            (KernelVariant{Form::Contiguous, true}))
      << "where there is no such order they are copied";
}

TEST_F(HostCall, GenericFunctionsAreMadeOnce) {
  auto a = iota<int16_t>(4);
  Tensor<int16_t> x(a.data(), {4});
  int before = kernelsMade;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(call("twice", {value(x.get())}), KERN_OK) << kern_last_error();
    EXPECT_EQ(valuesOf<int16_t>(result()), (std::vector<int16_t>{0, 2, 4, 6}));
  }
  EXPECT_EQ(kernelsMade, before + 1);
  ASSERT_EQ(call("twice", {weak(21)}), KERN_OK);
  EXPECT_EQ(valuesOf<int64_t>(result()), std::vector<int64_t>{42});
  EXPECT_EQ(kernelsMade, before + 2);
  EXPECT_EQ(call("twice", {scalar<float>(1)}), KERN_ERROR_COMPILE);
  EXPECT_STREQ(kern_last_error(), "twice is not for this type");
}

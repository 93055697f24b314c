//===- WholeResultsTest.cpp - results that a gufunc writes whole ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array for a result of a gufunc goes to the GPU too, since the body may
// leave something of it as it was, unless the nest says that it does not.
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"
#include "Variable.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
struct WholeResults : GpuCaller {
  /// y[i, :] = x[i], of 100 rows, in pieces; the copies to the GPU for each.
  template <typename T> int uploadsOf(const char *function, std::vector<T> &y) {
    Variable bytes("KERN_PIECE_BYTES", "4000");
    std::vector<double> x = iota<double>(100);
    Tensor<double> from(x.data(), {100});
    Tensor<T> to(y.data(), {100, 10});
    gpu.calls.clear();
    options->casting = KERN_CASTING_SAME_KIND;
    EXPECT_EQ(call(function, {value(from.get()), weak(10)}, {to.get()}),
              KERN_OK)
        << kern_last_error();
    const int pieces =
        gpu.calls["cuLaunchKernel"] + gpu.calls["cuLaunchKernelEx"];
    EXPECT_GT(pieces, 1);
    return gpu.calls["cuMemcpyHtoDAsync"] / pieces;
  }
};
} // namespace

TEST_F(WholeResults, StayOnTheHost) {
  for (const auto &[function, uploads] :
       {std::pair("tile", 2), std::pair("tile_whole", 1)}) {
    std::vector<double> y(1000, -1);
    EXPECT_EQ(uploadsOf(function, y), uploads) << function;
    for (size_t i = 0; i < y.size(); ++i)
      ASSERT_EQ(y[i], double(i / 10));
  }
}

TEST_F(WholeResults, AreConverted) {
  std::vector<float> y(1000, -1);
  (void)uploadsOf("tile_whole", y);
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(y[i], float(i / 10));
}

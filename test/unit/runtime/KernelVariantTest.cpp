//===- KernelVariantTest.cpp - which kernel serves a call -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/KernelVariant.h"
#include "SomeLayout.h"

#include <gtest/gtest.h>

using namespace kern::runtime;
using namespace kern::test;

TEST(Form, BestKernel) {
  using enum Form;
  KernelInfo fast = kernel(Contiguous);
  fast.disjoint = true;
  const std::vector<KernelInfo> kernels = {kernel(Contiguous), fast,
                                           kernel(Strided)};
  EXPECT_EQ(bestKernel(kernels, {Contiguous, false}), 0u);
  EXPECT_EQ(bestKernel(kernels, {Contiguous, true}), 1u);
  EXPECT_EQ(bestKernel(kernels, {Strided, true}), 2u)
      << "a kernel for any operands serves disjoint ones";
  EXPECT_EQ(bestKernel(kernels, {General, true}), std::nullopt);
  EXPECT_EQ(bestKernel(std::vector{kernel(Strided)}, {Contiguous, true}), 0u)
      << "a more general form";
  EXPECT_EQ(bestKernel(std::vector{kernel(Contiguous)}, {Strided, true}),
            std::nullopt);
  EXPECT_EQ(bestKernel(kernels, {Streamed, true}), 1u);
  EXPECT_EQ(bestKernel(std::vector{kernel(Streamed)}, {Contiguous, true}),
            std::nullopt);
  EXPECT_EQ(bestKernel(std::vector{fast, kernel(Strided)}, {Contiguous, false}),
            1u)
      << "never one that relies on what does not hold";
  EXPECT_EQ(bestKernel(std::vector{fast}, {Contiguous, false}), std::nullopt);
}

TEST(Form, BestKernelAcrossLoopElements) {
  using enum Form;
  EXPECT_EQ(bestKernel(std::vector{kernel(General), kernel(Across)}, {Across}),
            1u);
  EXPECT_EQ(bestKernel(std::vector{kernel(General)}, {Across}), 0u)
      << "which takes any layout";
  EXPECT_EQ(bestKernel(std::vector{kernel(Across)}, {General}), std::nullopt);
}

TEST(KernelVariant, WarpsWithFewElements) {
  auto kernel = [](Mapping mapping) {
    KernelInfo info;
    info.form = Form::General;
    info.mapping = mapping;
    return info;
  };
  const KernelVariant wanted = {.form = Form::General,
                                .mapping = {.staged = true, .spread = true}};
  std::vector<KernelInfo> kernels = {kernel({}), kernel({.flat = true}),
                                     kernel({.staged = true})};
  EXPECT_EQ(bestKernel(kernels, wanted), 2u) << "which a file has";
  kernels.push_back(kernel({.staged = true, .spread = true}));
  EXPECT_EQ(bestKernel(kernels, wanted), 3u);
  EXPECT_EQ(
      bestKernel(kernels, {.form = Form::General, .mapping = {.staged = true}}),
      2u);
}

TEST(KernelVariant, SlicesThatWaitForNobody) {
  auto kernel = [](Mapping mapping) {
    KernelInfo info;
    info.form = Form::General;
    info.mapping = mapping;
    return info;
  };
  const Mapping wanted = {
      .sliced = true, .resident = true, .chunks = 3, .recentred = true};
  std::vector<KernelInfo> kernels = {
      kernel({}), kernel({.sliced = true}),
      kernel({.sliced = true, .resident = true, .chunks = 8})};
  auto best = [&] {
    return bestKernel(kernels, {.form = Form::General, .mapping = wanted});
  };
  EXPECT_EQ(best(), 1u) << "not one whose blocks wait for each other";
  kernels.push_back(kernel({.sliced = true, .recentred = true}));
  EXPECT_EQ(best(), 3u);
  kernels.push_back(kernel(
      {.sliced = true, .resident = true, .chunks = 8, .recentred = true}));
  EXPECT_EQ(best(), 4u) << "a kernel for longer rows serves as well";
}

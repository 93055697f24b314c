//===- RealGpu.h - a GPU, or none ----------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Arrays.h"
#include "runtime/device/cuda/Platform.h"

namespace kern::test {

/// Tests that are skipped without a GPU.
class RealGpu : public testing::Test {
protected:
  void SetUp() override {
    auto platform = runtime::cuda::Platform::current();
    if (platform->deviceCount() == 0)
      GTEST_SKIP() << "no GPU: " << platform->unavailableReason();
    auto opened = platform->context(0);
    ASSERT_TRUE(opened) << opened.error().message;
    context = *opened;
  }

  std::shared_ptr<runtime::cuda::Context> context;
};

} // namespace kern::test

//===- GpuCaller.h - calls on the double of a GPU ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Arrays.h"
#include "FakeDriver.h"

namespace kern::test {

/// A base, so that it outlives the Caller.
struct WithGpu {
  FakeDriver gpu;
};

/// A test whose functions run on a FakeDriver's GPU, wherever the arrays are.
class GpuCaller : public testing::Test, public WithGpu, public Caller {
protected:
  GpuCaller() { options = onTheGpu(); }
  runtime::ManagedArray onDevice(const DLTensor *tensor) {
    DLManagedTensor *copy = nullptr;
    EXPECT_EQ(kern_array_copy(tensor, {kDLCUDA, 0}, &copy), KERN_OK)
        << kern_last_error();
    return runtime::ManagedArray(copy);
  }
  runtime::ManagedArray device(std::vector<float> values) {
    return onDevice(
        Tensor<float>(values.data(), {int64_t(values.size())}).get());
  }
  template <typename T> std::vector<T> hostValues(const DLTensor &tensor) {
    DLManagedTensor *copy = nullptr;
    EXPECT_EQ(kern_array_copy(&tensor, {kDLCPU, 0}, &copy), KERN_OK)
        << kern_last_error();
    runtime::ManagedArray owner(copy);
    return valuesOf<T>(copy->dl_tensor);
  }
  /// Launches of the functions' own kernels.
  std::vector<FakeLaunch> kernelLaunches() {
    std::vector<FakeLaunch> out;
    for (const FakeLaunch &launch : gpu.launches)
      if (!launch.symbol.starts_with("kern_copy_"))
        out.push_back(launch);
    return out;
  }
};

} // namespace kern::test

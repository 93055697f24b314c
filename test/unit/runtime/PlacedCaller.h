//===- PlacedCaller.h - where calls over host arrays run --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Arrays.h"

namespace kern::test {

/// Calls over one array of the host. A fixture has its machine before this.
struct PlacedCaller : Caller {
  std::vector<float> values = iota<float>(1000);
  Tensor<float> x{values.data(), {1000}};

  /// Where `function`, which adds, runs with x and a number.
  kern_device placeOf(const char *function = "add") {
    EXPECT_EQ(call(function, {value(x.get()), weakFloat(1)}), KERN_OK)
        << kern_last_error();
    EXPECT_EQ(valuesOf<float>(result()), iota<float>(1000, 1));
    return report.device;
  }
};

} // namespace kern::test

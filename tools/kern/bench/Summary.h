//===- Summary.h - what a series of times says ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <vector>

namespace kern::cli {

/// What a series of times says.
struct Summary {
  double median = 0, least = 0, most = 0;
  /// The middle half of the times: third minus first quartile, as a share of
  /// the median.
  double spread = 0;
};

/// Quantiles are interpolated between neighbours, as NumPy's. `values` has at
/// least one.
Summary summarise(std::vector<double> values);

/// How often to repeat what takes `once` milliseconds so that a batch takes
/// about `wanted`: between 1 and `most`.
unsigned repetitions(double once, double wanted, unsigned most);

} // namespace kern::cli

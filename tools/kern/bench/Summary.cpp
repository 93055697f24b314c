//===- Summary.cpp - what a series of times says --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/bench/Summary.h"

#include <algorithm>
#include <cmath>

namespace kern::cli {

static double quantile(const std::vector<double> &sorted, double share) {
  const double at = share * double(sorted.size() - 1);
  const auto below = size_t(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - double(below));
}

Summary summarise(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Summary summary;
  summary.median = quantile(values, 0.5);
  summary.least = values.front();
  summary.most = values.back();
  if (summary.median > 0)
    summary.spread =
        (quantile(values, 0.75) - quantile(values, 0.25)) / summary.median;
  return summary;
}

unsigned repetitions(double once, double wanted, unsigned most) {
  // Also where a time is zero, because the clock is too coarse for it.
  if (!(once * double(most) > wanted))
    return most;
  return std::max(1u, unsigned(wanted / once));
}

} // namespace kern::cli

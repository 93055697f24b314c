//===- Timing.h - where the time of a compilation goes ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace kern {

/// Wall clock by stage, in the order in which stages began. Times of a stage
/// that runs several times add up. Not safe for use by several threads.
class Timing {
public:
  void add(const char *stage, double milliseconds);
  /// One row for each stage, in milliseconds, and their sum.
  std::string table() const;
  const std::vector<std::pair<std::string, double>> &stages() const {
    return rows;
  }

private:
  std::vector<std::pair<std::string, double>> rows;
};

/// Adds the time until it is destroyed, or the next stage begins, to a stage.
class StageTimer {
public:
  /// `timing` may be NULL: nothing is measured then.
  StageTimer(Timing *timing, const char *stage) : timing(timing) {
    next(stage);
  }
  ~StageTimer() { next(nullptr); }
  StageTimer(const StageTimer &) = delete;
  StageTimer &operator=(const StageTimer &) = delete;
  void next(const char *stage);

private:
  Timing *timing;
  const char *current = nullptr;
  std::chrono::steady_clock::time_point began;
};

} // namespace kern

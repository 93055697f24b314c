//===- Timing.h - the time of each compilation stage ------------*- C++ -*-===//
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

namespace kern::compiler {

/// Wall-clock time by stage, in the order in which stages began. A stage that
/// runs several times adds up. Not thread-safe.
class Timing {
public:
  void add(const char *stage, double milliseconds);
  /// One row per stage, in milliseconds, and their sum.
  std::string table() const;
  const std::vector<std::pair<std::string, double>> &stages() const {
    return rows;
  }

private:
  std::vector<std::pair<std::string, double>> rows;
};

/// Adds the time until its destruction, or until the next stage, to a stage.
class StageTimer {
public:
  /// `timing` may be null: nothing is measured then.
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

} // namespace kern::compiler

//===- TimeLimit.h - what takes too long is a defect ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <ctime>

namespace kern::fuzz {

/// Aborts at its end if the processor spent more than four seconds for each KiB
/// of the input since its beginning, and at least four. Without sanitizers a
/// loop takes a third of what it takes here, and where every core fuzzes, half
/// of the latter. What grows too fast with the input takes minutes.
class TimeLimit {
public:
  explicit TimeLimit(size_t size);
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;
  ~TimeLimit();

private:
  size_t size;
  std::clock_t start;
};

} // namespace kern::fuzz

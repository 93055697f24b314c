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

/// Aborts at its end if the processor spent more than a second for each KiB of
/// the input since its beginning, and at least one. The sanitizers halve the
/// speed, and no factor compensates for that: the limit is the product's.
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

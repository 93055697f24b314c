//===- TimeLimit.cpp - what takes too long is a defect --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/fuzz/TimeLimit.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace kern::fuzz;

TimeLimit::TimeLimit(size_t size) : size(size), start(std::clock()) {}

TimeLimit::~TimeLimit() {
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  constexpr double ofKiB = 4;
  double limit = ofKiB * double(std::max<size_t>(size, 1024)) / 1024;
  if (seconds <= limit)
    return;
  std::fprintf(stderr, "too slow: %.1f s for %zu bytes\n", seconds, size);
  std::abort();
}

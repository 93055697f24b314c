//===- Rounding.h - whole numbers of parts ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace kern {

/// How many parts of `b` > 0 hold `a` ≥ 0.
constexpr int64_t ceilDivide(int64_t a, int64_t b) {
  return a / b + (a % b != 0);
}
/// The least multiple of `b` that is at least `a`.
constexpr int64_t roundUp(int64_t a, int64_t b) { return ceilDivide(a, b) * b; }

} // namespace kern

//===- IntegerRange.h - arrays that are computed ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kern::runtime {

/// The numbers start, start + step, …: an array of i64 that takes no memory.
struct IntegerRange {
  int64_t start = 0, step = 1;

  /// The number at a position; it wraps.
  int64_t at(int64_t position) const {
    return int64_t(uint64_t(start) + uint64_t(step) * uint64_t(position));
  }
};

/// How many numbers Python's range(start, stop, step) has; nothing for more
/// than INT64_MAX. `step` is not 0.
std::optional<int64_t> rangeLength(int64_t start, int64_t stop, int64_t step);

/// Writes `count` numbers from the first on, converted to `to`, as one row.
void writeRange(IntegerRange range, int64_t count, DType to,
                std::byte *destination);

} // namespace kern::runtime

//===- SliceBounds.h - slices with constant bounds --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>

namespace kern::compiler {

/// Constant bounds of a slice as the source has them: negative ones count from
/// the end, absent ones are nothing. The step is not 0.
struct SliceBounds {
  std::optional<int64_t> lower, upper;
  int64_t step = 1;
};

/// Whether the slice has no elements, however many the axis has.
bool isAlwaysEmpty(const SliceBounds &);

/// How many elements an axis must have for the slice to be where the bounds
/// say. NumPy takes fewer elements, or others, of an axis with fewer. 0: it
/// may have any number.
int64_t elementsNeeded(const SliceBounds &);

/// Whether that many are needed for the lower bound to lie within the axis;
/// else the upper bound, or the step before it, lies outside with fewer.
bool isForLower(const SliceBounds &);

} // namespace kern::compiler

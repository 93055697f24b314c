//===- SliceBounds.cpp - slices with constant bounds ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/SliceBounds.h"

#include <algorithm>
#include <cstdlib>

namespace kern::compiler {

bool isAlwaysEmpty(const SliceBounds &bounds) {
  const auto &[lower, upper, step] = bounds;
  if (!upper)
    return false;
  if (step > 0) {
    const int64_t begin = lower.value_or(0);
    return *upper == 0 || ((begin < 0) == (*upper < 0) && *upper <= begin);
  }
  const int64_t begin = lower.value_or(-1);
  return *upper == -1 || ((begin < 0) == (*upper < 0) && *upper >= begin);
}

/// How many elements the lower bound alone needs; 0 where there is none.
static int64_t neededByLower(const SliceBounds &bounds) {
  const auto &[lower, upper, step] = bounds;
  if (!lower || isAlwaysEmpty(bounds))
    return 0;
  // From beyond the end up, or from before the front down, there is nothing.
  return step > 0 ? std::max<int64_t>(-*lower, 0)
                  : std::max<int64_t>(*lower + 1, 0);
}

int64_t elementsNeeded(const SliceBounds &bounds) {
  const auto &[lower, upper, step] = bounds;
  const int64_t least = neededByLower(bounds);
  if (!upper || isAlwaysEmpty(bounds))
    return least;
  const int64_t stride = std::abs(step);
  // The last of the elements from the first one to an end.
  auto last = [&](int64_t count) { return (count - 1) / stride * stride; };
  if (step > 0) {
    const int64_t begin = lower.value_or(0);
    if (*upper < 0)
      return least;
    if (begin >= 0)
      return begin + last(*upper - begin) + 1;
    // The last step is the same as from `-begin` elements before the end.
    return std::max(least, *upper - last(-begin) - stride - begin);
  }
  const int64_t begin = lower.value_or(-1);
  if (*upper >= 0)
    return least;
  // One step beyond the front is less than `upper` before it.
  if (begin >= 0)
    return std::max(least, begin % stride - stride - *upper);
  return last(begin - *upper) - begin;
}

bool isForLower(const SliceBounds &bounds) {
  const int64_t needed = neededByLower(bounds);
  return needed > 0 && needed == elementsNeeded(bounds);
}

} // namespace kern::compiler

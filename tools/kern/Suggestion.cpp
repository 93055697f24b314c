//===- Suggestion.cpp - the name that was probably meant ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Suggestion.h"

#include <algorithm>
#include <vector>

namespace kern::cli {
namespace {

size_t editDistance(std::string_view a, std::string_view b) {
  // Rows of the usual table; the one before last is needed for swaps.
  std::vector<size_t> beforeLast(b.size() + 1), last(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                         last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    std::swap(beforeLast, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

} // namespace

std::string suggestion(std::string_view name,
                       std::span<const std::string> candidates) {
  const std::string *best = nullptr;
  size_t least = 0;
  for (const std::string &candidate : candidates) {
    const size_t distance = editDistance(name, candidate);
    const size_t limit = std::max<size_t>(1, candidate.size() / 3);
    if (distance <= limit && (!best || distance < least)) {
      best = &candidate;
      least = distance;
    }
  }
  return best ? "; did you mean '" + *best + "'?" : "";
}

} // namespace kern::cli

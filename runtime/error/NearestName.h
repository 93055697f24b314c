//===- NearestName.h - names for "did you mean" -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All in the header, for the parser, which links neither the runtime nor LLVM.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace kern::runtime {

/// The number of insertions, deletions, replacements, and swaps of two
/// neighbours between two words (optimal string alignment). Rows of the usual
/// table; a swap needs the row before the last.
inline unsigned editDistance(std::string_view a, std::string_view b) {
  std::vector<unsigned> before(b.size() + 1), last(b.size() + 1),
      current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = unsigned(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = unsigned(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      unsigned substitute = last[j - 1] + (a[i - 1] != b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, substitute});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

/// The length of the common prefix.
inline size_t commonPrefix(std::string_view a, std::string_view b) {
  return size_t(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// The nearest of `names` by edit distance, or "" if none is near enough to be
/// meant by `wanted`: one edit in a short name ("exp" for "exq"), a third of
/// the letters in a longer one. None for a name of one letter, which is close
/// to everything, nor for one of more than 64, which nobody types. Of equally
/// near names it is the one with the longest common prefix. The result refers
/// to the text of one of `names`.
inline std::string_view
nearestName(std::string_view wanted,
            const std::vector<std::string_view> &names) {
  if (wanted.empty() || wanted.size() > 64)
    return {};
  unsigned allowed = wanted.size() < 2 ? 0 : unsigned(wanted.size() + 2) / 3;
  std::string_view best;
  for (std::string_view name : names) {
    size_t longer = std::max(wanted.size(), name.size());
    size_t shorter = std::min(wanted.size(), name.size());
    if (longer - shorter > allowed || name == wanted)
      continue;
    unsigned distance = editDistance(wanted, name);
    if (distance > allowed || distance >= longer)
      continue;
    const size_t begins = commonPrefix(wanted, name);
    if (distance < allowed || best.empty() ||
        begins > commonPrefix(wanted, best)) {
      best = name;
      allowed = distance;
    }
  }
  return best;
}

} // namespace kern::runtime

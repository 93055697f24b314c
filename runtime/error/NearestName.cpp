//===- NearestName.cpp - names for "did you mean" -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/NearestName.h"

#include <algorithm>

using namespace kern::runtime;

// Rows of the usual table; a swap needs the row before the last.
static unsigned editDistance(std::string_view a, std::string_view b) {
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
static size_t alike(std::string_view a, std::string_view b) {
  return size_t(std::ranges::mismatch(a, b).in1 - a.begin());
}

std::string_view
kern::runtime::nearestName(std::string_view wanted,
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
    const size_t begins = alike(wanted, name);
    if (distance < allowed || best.empty() || begins > alike(wanted, best)) {
      best = name;
      allowed = distance;
    }
  }
  return best;
}

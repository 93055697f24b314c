//===- NearestName.h - names for "did you mean" -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The edit distance counts insertions, deletions, replacements, and swaps of
// two neighbours (optimal string alignment).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string_view>
#include <vector>

namespace kern::runtime {

/// The nearest of `names` by edit distance, or "" if none is near enough to be
/// meant by `wanted`: one edit in a short name ("exp" for "exq"), a third of
/// the letters in a longer one. None for a name of one letter, which is close
/// to everything, nor for one of more than 64, which nobody types. Of equally
/// near names it is the one with the longest common prefix. The result refers
/// to the text of one of `names`.
std::string_view nearestName(std::string_view wanted,
                             const std::vector<std::string_view> &names);

} // namespace kern::runtime

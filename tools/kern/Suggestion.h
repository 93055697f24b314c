//===- Suggestion.h - the name that was probably meant ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kern::cli {

/// "; did you mean 'compile'?" when a candidate is at most a third of its
/// letters away (edit distance with swaps of neighbours), else "".
std::string suggestion(std::string_view name,
                       std::span<const std::string> candidates);

} // namespace kern::cli

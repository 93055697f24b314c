//===- Difference.h - two texts, line by line ----------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>

namespace kern::cli {

/// What `diff -u` shows of two texts, without its first two lines: "" where
/// they are equal. Texts that differ in very many lines are shown as one
/// replacement.
std::string lineDifference(std::string_view before, std::string_view after);

} // namespace kern::cli

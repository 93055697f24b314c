//===- TestPlaces.h - messages about tests point into them ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>

namespace kern::cli {

/// The function that a test's calls are made by.
inline constexpr std::string_view wrapperName = "called_by_a_test";

/// A message of the compiler about a text that is the file `path`, of `lines`
/// lines, and below it what a test was turned into. Places there become
/// `place`, where the test stands ("F.kern:4:9"), and lose the source lines
/// that show them; notes about the function that was put around it go. Nobody
/// has written those.
std::string placedInTest(std::string_view message, std::string_view path,
                         unsigned lines, std::string_view place);

} // namespace kern::cli

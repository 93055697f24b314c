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

/// Rewrites a message of the compiler about a text that consists of the file
/// `path`, of `lines` lines, and below it the code made from a test. Places in
/// that code become `place`, that of the test ("F.kern:4:9"), without their
/// source lines. Notes about the function around the test are removed, since
/// its user did not write it.
std::string placedInTest(std::string_view message, std::string_view path,
                         unsigned lines, std::string_view place);

} // namespace kern::cli

//===- LibraryPages.h - what the standard library says of itself -*- C++ -*-==//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// The headers and docstrings of a function of the standard library, by its
/// name or another name of it, as text for the terminal: those that are always
/// visible, then those of modules. "" if there is none.
std::string libraryPage(std::string_view name);

/// The names that libraryPage() knows, other names of a function excepted.
std::vector<std::string> libraryFunctionNames();

} // namespace kern::cli

//===- LanguagePages.h - what the language has beside functions -*- C++ -*-===//
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

/// What `kern explain` says of a reduction, a sequence, another function that
/// is part of the language, or a constant: `sum`, `range`, `len`, `pi`. "" if
/// it is none.
std::string languagePage(std::string_view name);

/// All of these names.
std::vector<std::string> languageNames();

} // namespace kern::cli

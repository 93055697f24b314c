//===- StandardModules.h - the modules of stdlib/ ------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace kern {

/// The text of `stdlib/NAME.kern`, which is built in.
std::optional<std::string_view> standardModule(std::string_view name);

/// The names of all of them, sorted.
const std::vector<std::string_view> &standardModules();

/// Names and texts, as the build makes them of stdlib/.
struct StandardModuleText {
  const char *name;
  const char *text;
};
extern const StandardModuleText standardModuleTexts[];
extern const unsigned standardModuleCount;

} // namespace kern

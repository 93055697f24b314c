//===- StandardModules.h - the texts of stdlib/ --------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of stdlib/ is built in. The modules are imported by name; the files of
// the prelude hold what is visible without an import.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace kern {

/// The text of `stdlib/NAME.kern`.
std::optional<std::string_view> standardModule(std::string_view name);

/// The names of all of them, sorted.
const std::vector<std::string_view> &standardModules();

/// One of `stdlib/prelude/NAME.kern`.
struct PreludeFile {
  const char *name;
  const char *text;
};
/// The file that declares or defines a function; null if none does.
const PreludeFile *preludeFileOf(std::string_view function);

/// A function and the index of its file.
struct PreludeFunction {
  const char *name;
  unsigned file;
};

// Made by the build.
struct StandardModuleText {
  const char *name;
  const char *text;
};
extern const StandardModuleText standardModuleTexts[];
extern const unsigned standardModuleCount;
extern const PreludeFile preludeFiles[];
extern const unsigned preludeFileCount;
/// Each name once.
extern const PreludeFunction preludeFunctions[];
extern const unsigned preludeFunctionCount;

} // namespace kern

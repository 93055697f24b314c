//===- ModuleFiles.h - where imported modules lie ------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/modules/Modules.h"
#include "runtime/error/Expected.h"

#include <string>
#include <vector>

namespace kern {

/// What the names of the library's files begin with.
inline constexpr std::string_view standardFolder = "<standard>/";
/// What messages call a text that came from the standard input.
inline constexpr std::string_view standardInput = "<stdin>";

/// The text of a file. KERN_ERROR_NOT_FOUND if there is none, KERN_ERROR_IO if
/// it cannot be read or is a directory.
Expected<std::string> readFile(const std::string &path);

/// Finds a module among the standard ones, then as `NAME.kern` beside the file
/// that imports it, then in the folders given, in order. The standard input
/// lies in the current folder, any other text without a file in none.
class ModuleFiles : public ModuleFinder {
public:
  explicit ModuleFiles(std::vector<std::string> folders)
      : folders(std::move(folders)) {}

  std::optional<ModuleText> find(std::string_view module,
                                 std::string_view importer) override;
  std::string places(std::string_view importer) const override;
  std::optional<ModuleText> prelude(std::string_view function) override;
  std::vector<std::string_view> preludeNames() const override;

private:
  std::vector<std::string> foldersFor(std::string_view importer) const;

  std::vector<std::string> folders;
};

/// The folders of `kern_set_include_path`, then those of KERN_PATH.
std::vector<std::string> includePath();
/// Sets the former; separated by `:`. Safe from any thread.
void setIncludePath(std::string_view folders);

} // namespace kern

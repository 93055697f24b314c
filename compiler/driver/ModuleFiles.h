//===- ModuleFiles.h - the files of imported modules ------------*- C++ -*-===//
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

namespace kern::compiler {

/// The prefix of the standard library's file names.
inline constexpr std::string_view standardFolder = "<standard>/";
/// The name of the standard input in messages.
inline constexpr std::string_view standardInput = "<stdin>";

/// The text of a file. KERN_ERROR_NOT_FOUND if it does not exist, KERN_ERROR_IO
/// if it cannot be read or is a directory.
runtime::Expected<std::string> readFile(const std::string &path);

/// Finds a module among the standard ones, then as `NAME.kern` beside the
/// importing file, then in the given folders in order. The standard input
/// counts as a file in the current folder. Other texts without a file are in no
/// folder.
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

/// These folders, separated by `:`, then those of `kern_set_include_path`, then
/// those of KERN_PATH.
std::vector<std::string> includePath(std::string_view first = "");
/// Sets the folders of `kern_set_include_path`, separated by `:`. Thread-safe.
void setIncludePath(std::string_view folders);

} // namespace kern::compiler

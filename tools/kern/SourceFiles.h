//===- SourceFiles.h - the files that operands stand for --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <optional>
#include <string>
#include <vector>

namespace kern::cli {

/// A source to compile.
struct SourceInput {
  /// Its name in messages. Imported modules are looked up beside it.
  std::string name;
  /// Its text; if absent, that of the file `name`.
  std::optional<std::string> text = {};
};

/// False if the system cannot tell.
bool isDirectory(const std::string &path);

/// The sources that an operand of a verb stands for. `operand` is a file, "-"
/// or a folder, which stands for all `.kern` files below it, sorted; folders
/// behind symbolic links are left out. A file need not be there.
/// KERN_ERROR_NOT_FOUND for a folder without any, KERN_ERROR_IO for one that
/// cannot be read, KERN_ERROR_ARGUMENT for a file whose ending says that it is
/// an array or compiled.
runtime::Expected<std::vector<std::string>>
sourceFiles(const std::string &operand);

/// Why a file or folder is not one source: KERN_ERROR_ARGUMENT for a folder and
/// for an ending that says otherwise.
runtime::Status checkSource(const std::string &path);

/// The whole of a file, or of the standard input for "-". KERN_ERROR_IO with
/// the path and the system's reason; a folder is not a file.
runtime::Expected<std::string> readText(const std::string &path);

} // namespace kern::cli

//===- OutputFile.h - a file written whole or not at all --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"
#include "runtime/file/NewFile.h"

#include <string>
#include <string_view>

namespace kern::cli {

/// An output file. Its contents go to a new file without a name (NewFile.h),
/// which commit() moves into place. Without commit(), and if the process ends,
/// nothing remains. "-" is the standard output.
///
/// A target that is not a regular file (/dev/null, a pipe) is written to and
/// never replaced. A symbolic link stays, and its target is replaced. An
/// existing file keeps its permissions, its owner if the system allows that,
/// and its other names: a file with hard links is written to. A read-only file
/// is an error.
class OutputFile {
public:
  explicit OutputFile(std::string path);
  OutputFile(OutputFile &&) noexcept = default;

  /// Opens the new file, after checking as far as possible that the target and
  /// its folder can be written to. KERN_ERROR_IO names the target and the
  /// system's reason.
  runtime::Status open();
  /// The path for a library that writes the file itself. Valid once it is open.
  std::string writingPath() const;
  /// The path as it was given.
  const std::string &path() const { return given; }

  /// Writes the whole contents to the new file, and opens it first if needed.
  /// KERN_ERROR_IO as open().
  runtime::Status write(std::string_view contents);
  /// Puts the new file in place. KERN_ERROR_IO as open(). If a file with hard
  /// links was written only in part, the message says where the complete
  /// contents are.
  runtime::Status commit();

private:
  runtime::Status refuse(int error) const;
  runtime::Status check() const;
  runtime::Status copyTo(int descriptor) const;
  runtime::Status overwrite();
  runtime::Status keepPermissions() const;

  std::string given;      ///< as the user wrote it
  std::string target;     ///< with symbolic links followed
  bool isSpecial = false; ///< copied into, not replaced
  runtime::NewFile file;
};

/// Whether an output would overwrite this input: both name the same file.
bool isSameFile(const std::string &input, const std::string &output);

} // namespace kern::cli

//===- OutputFile.h - a file written whole or not at all --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <string>
#include <string_view>

namespace kern::cli {

/// A file under way. What is written goes to a temporary file beside the
/// target, which commit() moves into place; a file that is not committed
/// leaves nothing behind. "-" means the standard output. A target that is not
/// a regular file (/dev/null, a pipe) is written to and never replaced, and
/// through a symbolic link its target is. A file that is there keeps its
/// permissions, its owner where the system allows it, and its other names: one
/// with hard links is written to. One that nobody may write to is refused.
class OutputFile {
public:
  explicit OutputFile(std::string path);
  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Where a library that writes files of its own is to write.
  const std::string &temporaryPath() const { return temporary; }
  /// The path as it was given.
  const std::string &path() const { return given; }

  /// Writes the whole contents to the temporary file. KERN_ERROR_IO names the
  /// target and the system's reason.
  Status write(std::string_view contents);
  /// Whether the target can be written to and its folder takes a file, as far
  /// as can be seen beforehand: for who writes to temporaryPath().
  /// KERN_ERROR_IO as write().
  Status check() const;
  /// Puts the temporary file in place. KERN_ERROR_IO as write(). When a file
  /// with hard links was written in part, the message says where the whole is.
  Status commit();

private:
  Status refuse(int error) const;
  Status copyTo(int descriptor) const;
  Status overwrite();
  Status keepPermissions() const;

  std::string given;      ///< as the user wrote it
  std::string target;     ///< with symbolic links followed
  std::string temporary;  ///< empty after commit()
  bool isSpecial = false; ///< copied into, not replaced
};

/// Whether an output would be written over this input: the same file, by
/// whatever names.
bool isSameFile(const std::string &input, const std::string &output);

} // namespace kern::cli

//===- NewFile.h - a file that appears when it is whole ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <string>
#include <sys/types.h>

namespace kern::runtime {

/// Writes all bytes. 0 or an errno. Beyond the size limit that is EFBIG,
/// without a signal.
int writeFully(int descriptor, const void *bytes, size_t size);

/// A new file, written in the folder of the file that it will replace. It has
/// no name, so that nothing remains if the process ends. On file systems
/// without nameless files it has a name, which the destructor removes.
/// Functions return 0 or an errno.
class NewFile {
public:
  NewFile() = default;
  NewFile(NewFile &&other) noexcept;
  NewFile &operator=(NewFile &&) = delete;
  ~NewFile();

  /// Creates it, empty, in the folder of `target`, for reading and writing.
  int open(const std::string &target, mode_t mode);
  bool isOpen() const { return descriptor >= 0; }
  int get() const { return descriptor; }

  /// Gives it a permanent name in the folder of `target`.
  int keep(const std::string &target, std::string &name);
  /// Closes it and renames it to `target`, which it replaces.
  int replace(const std::string &target);

private:
  int close();
  int giveName(const std::string &target);

  int descriptor = -1;
  std::string name; ///< while it has one
};

} // namespace kern::runtime

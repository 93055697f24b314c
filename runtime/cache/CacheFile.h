//===- CacheFile.h - reading and writing whole small files ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace kern::runtime {

/// A file of the cache, open while this lives.
class CacheFile {
public:
  CacheFile() = default;
  CacheFile(CacheFile &&other) noexcept;
  CacheFile &operator=(CacheFile &&other) noexcept;
  ~CacheFile();

  /// Opens a file for reading, and for writing in place if that is allowed.
  static CacheFile open(const std::string &path);
  /// Creates a file for its owner only. On failure errno says why.
  static CacheFile create(const std::string &path);
  explicit operator bool() const { return descriptor >= 0; }

  /// The function of this name below, for the file's owner and mode.
  std::string whyForeign() const;
  /// In bytes; 0 for what is not a regular file.
  uint64_t size() const;
  /// The first `bytes` bytes, or as many as there are.
  std::string read(uint64_t bytes) const;
  /// 0 or an errno. Beyond the size limit that is EFBIG, without the signal
  /// that would end the process.
  int write(std::string_view bytes) const;
  /// Replaces 8 bytes, if the file may be written. This also updates the file's
  /// time, which is that of its last use.
  void overwrite(uint64_t at, uint64_t number) const;

private:
  explicit CacheFile(int descriptor) : descriptor(descriptor) {}
  int descriptor = -1;
};

/// Creates a folder and those above it, for their owner only. 0 or an errno.
int makeFolders(const std::string &path);

/// Why others than `user` and root may have written to a file or folder with
/// this owner and mode (of stat): "it belongs to another user", "others can
/// write to it". "" if they cannot. A folder whose entries only their owners
/// can rename
/// (/tmp) counts as written by its owner only.
std::string whyForeign(uid_t owner, mode_t mode, uid_t user);

/// The same for an existing folder and the user of this process. "" if there is
/// no such folder.
std::string whyForeignFolder(const std::string &path);

} // namespace kern::runtime

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

  /// To be read, and written in place if that is allowed.
  static CacheFile open(const std::string &path);
  /// A new file for its owner alone; errno says why there is none.
  static CacheFile create(const std::string &path);
  explicit operator bool() const { return descriptor >= 0; }

  /// As whyForeign() of its owner and mode.
  std::string whyForeign() const;
  /// Bytes, or 0 if it is no regular file.
  uint64_t size() const;
  /// The first `bytes`; fewer if there are not as many.
  std::string read(uint64_t bytes) const;
  /// 0 or an errno. A file that may not become so large is EFBIG, without the
  /// signal that would end the process.
  int write(std::string_view bytes) const;
  /// Replaces 8 bytes, if the file may be written; that also makes its time
  /// that of its last use.
  void overwrite(uint64_t at, uint64_t number) const;

private:
  explicit CacheFile(int descriptor) : descriptor(descriptor) {}
  int descriptor = -1;
};

/// Makes a folder and those above it, for their owner alone. 0 or an errno.
int makeFolders(const std::string &path);

/// Why a file or folder with this owner and mode (as stat has it) may hold what
/// another than `user` or root put there: "it belongs to another user",
/// "others can write to it". "" if it cannot. A folder whose entries only their
/// owners can rename (/tmp) counts as written by its owner alone.
std::string whyForeign(uid_t owner, mode_t mode, uid_t user);

/// The same of a folder that is there, for the user of this process. "" where
/// there is none.
std::string whyForeignFolder(const std::string &path);

} // namespace kern::runtime

//===- OutputFile.cpp - a file that is written whole or not at all --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/OutputFile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace kern::cli {
namespace {

/// A file descriptor that is closed at the end of its scope.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { close(); }
  int get() const { return number; }
  /// 0 or an errno: a full disk can show only here.
  int close() {
    const int old = std::exchange(number, -1);
    return old >= 0 && ::close(old) != 0 ? errno : 0;
  }

private:
  int number;
};

/// 0 or an errno.
int writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    bytes.remove_prefix(size_t(count));
  }
  return 0;
}

} // namespace

OutputFile::OutputFile(std::string path)
    : given(std::move(path)), target(given) {
  namespace fs = std::filesystem;
  static unsigned count = 0;
  const std::string suffix =
      ".tmp" + std::to_string(getpid()) + "-" + std::to_string(count++);
  std::error_code error;
  isSpecial = given == "-" || (fs::exists(given, error) &&
                               fs::is_other(fs::status(given, error)));
  if (isSpecial) {
    fs::path folder = fs::temp_directory_path(error);
    temporary = (error ? fs::path("/tmp") : folder) / ("kern-output" + suffix);
    return;
  }
  if (fs::is_symlink(fs::symlink_status(given, error))) {
    fs::path followed = fs::weakly_canonical(given, error);
    if (!error)
      target = followed.string();
  }
  temporary = target + suffix;
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : given(std::move(other.given)), target(std::move(other.target)),
      temporary(std::exchange(other.temporary, {})),
      isSpecial(other.isSpecial) {}

OutputFile::~OutputFile() {
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

Status OutputFile::refuse(int error) const {
  return Error{KERN_ERROR_IO,
               "cannot write '" + given + "': " + std::strerror(error)};
}

Status OutputFile::write(std::string_view contents) {
  Descriptor file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0)
    return refuse(errno);
  if (int error = writeAll(file.get(), contents))
    return refuse(error);
  if (int error = file.close())
    return refuse(error);
  return {};
}

Status OutputFile::copyTo(int descriptor) const {
  Descriptor from(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC));
  if (from.get() < 0)
    return refuse(errno);
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(from.get(), buffer, sizeof buffer);
    if (count < 0)
      return refuse(errno);
    if (count == 0)
      return {};
    if (int error = writeAll(descriptor, {buffer, size_t(count)}))
      return refuse(error);
  }
}

Status OutputFile::commit() {
  if (given == "-") {
    std::fflush(stdout);
    return copyTo(STDOUT_FILENO);
  }
  if (isSpecial) {
    Descriptor to(::open(given.c_str(), O_WRONLY | O_CLOEXEC));
    if (to.get() < 0)
      return refuse(errno);
    if (Status status = copyTo(to.get()); !status)
      return status;
    if (int error = to.close())
      return refuse(error);
    return {};
  }
  if (std::rename(temporary.c_str(), target.c_str()) != 0)
    return refuse(errno);
  temporary.clear();
  return {};
}

} // namespace kern::cli

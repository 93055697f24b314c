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
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kern::cli {

using runtime::Error;
using runtime::Status;

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

/// The status of a regular file; nothing if there is none.
std::optional<struct stat> regularFile(const std::string &path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode))
    return std::nullopt;
  return found;
}

constexpr mode_t permissionBits = 0777;

} // namespace

OutputFile::OutputFile(std::string path)
    : given(std::move(path)), target(given) {
  namespace fs = std::filesystem;
  std::error_code error;
  isSpecial = given == "-" || (fs::exists(given, error) &&
                               fs::is_other(fs::status(given, error)));
  if (isSpecial) {
    fs::path folder = fs::temp_directory_path(error);
    target = (error ? fs::path("/tmp") : folder) / "kern-output";
  } else if (fs::is_symlink(fs::symlink_status(given, error))) {
    fs::path followed = fs::weakly_canonical(given, error);
    if (!error)
      target = followed.string();
  }
}

Status OutputFile::refuse(int error) const {
  return Error{KERN_ERROR_IO,
               "cannot write '" + given + "': " + std::strerror(error)};
}

Status OutputFile::check() const {
  if (isSpecial)
    return {};
  // access() alone does not tell: root may write to every file.
  if (std::optional<struct stat> old = regularFile(target);
      old && ((old->st_mode & 0222) == 0 || ::access(target.c_str(), W_OK)))
    return Error{KERN_ERROR_IO, "cannot write '" + given +
                                    "': it is there and may not be written to"};
  std::string folder = std::filesystem::path(target).parent_path().string();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
    return refuse(errno);
  return {};
}

Status OutputFile::open() {
  if (Status status = check(); !status)
    return status;
  // While it is written, nobody may read the new file who may not read the
  // finished one.
  const std::optional<struct stat> old =
      isSpecial ? std::nullopt : regularFile(target);
  const mode_t mode = isSpecial ? S_IRUSR | S_IWUSR
                      : old     ? old->st_mode & permissionBits
                                : 0666;
  if (int error = file.open(target, mode | S_IWUSR | S_IRUSR))
    return refuse(error);
  return {};
}

std::string OutputFile::writingPath() const {
  return "/proc/self/fd/" + std::to_string(file.get());
}

Status OutputFile::write(std::string_view contents) {
  if (!file.isOpen())
    if (Status status = open(); !status)
      return status;
  if (int error =
          runtime::writeFully(file.get(), contents.data(), contents.size()))
    return refuse(error);
  return {};
}

Status OutputFile::copyTo(int descriptor) const {
  char buffer[1 << 16];
  for (off_t at = 0;;) {
    const ssize_t count = ::pread(file.get(), buffer, sizeof buffer, at);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return refuse(errno);
    if (count == 0)
      return {};
    if (int error = runtime::writeFully(descriptor, buffer, size_t(count)))
      return refuse(error);
    at += count;
  }
}

/// Copies owner and permissions of the replaced file to the new one.
Status OutputFile::keepPermissions() const {
  const std::optional<struct stat> old = regularFile(target);
  struct stat made = {};
  if (!old || ::fstat(file.get(), &made) != 0)
    return {};
  // Only root can give files away; others at most to a group of theirs.
  if (made.st_uid != old->st_uid &&
      ::fchown(file.get(), old->st_uid, gid_t(-1)) != 0 && errno != EPERM)
    return refuse(errno);
  if (made.st_gid != old->st_gid &&
      ::fchown(file.get(), uid_t(-1), old->st_gid) != 0 && errno != EPERM)
    return refuse(errno);
  if (::fchmod(file.get(), old->st_mode & permissionBits) != 0)
    return refuse(errno);
  return {};
}

/// A file with several names keeps them: its contents are replaced. The
/// complete new file exists beside it until then, so that there is room for it.
Status OutputFile::overwrite() {
  Descriptor to(::open(target.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (to.get() < 0)
    return refuse(errno);
  Status status = copyTo(to.get());
  if (status)
    if (int error = to.close())
      status = refuse(error);
  if (status)
    return {};
  std::string whole;
  if (file.keep(target, whole) != 0)
    return status;
  return Error{KERN_ERROR_IO, status.error().message +
                                  "\nnote: the complete contents are in '" +
                                  whole + "'"};
}

bool isSameFile(const std::string &input, const std::string &output) {
  std::error_code error;
  return output != "-" && std::filesystem::equivalent(input, output, error);
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
  if (std::optional<struct stat> old = regularFile(target);
      old && old->st_nlink > 1)
    return overwrite();
  if (Status status = keepPermissions(); !status)
    return status;
  if (int error = file.replace(target))
    return refuse(error);
  return {};
}

} // namespace kern::cli

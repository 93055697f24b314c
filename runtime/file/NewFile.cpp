//===- NewFile.cpp - a file that appears when it is complete --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/file/NewFile.h"
#include "runtime/error/SizeSignal.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace kern::runtime;

int kern::runtime::writeFully(int descriptor, const void *bytes, size_t size) {
  NoSizeSignal guard;
  const char *from = static_cast<const char *>(bytes);
  while (size > 0) {
    const size_t chunk = std::min<size_t>(size, 1u << 30);
    const ssize_t done = ::write(descriptor, from, chunk);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return errno;
    from += done;
    size -= size_t(done);
  }
  return 0;
}

/// A name that no other file of this process has had.
static std::string nameBeside(const std::string &target) {
  static std::atomic<unsigned> count = 0;
  return target + ".tmp" + std::to_string(::getpid()) + "-" +
         std::to_string(count++);
}

static std::string pathOf(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

NewFile::NewFile(NewFile &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)),
      name(std::exchange(other.name, {})) {}

NewFile::~NewFile() {
  if (!name.empty())
    ::unlink(name.c_str());
  close();
}

int NewFile::close() {
  const int old = std::exchange(descriptor, -1);
  return old >= 0 && ::close(old) != 0 ? errno : 0;
}

int NewFile::open(const std::string &target, mode_t mode) {
  const size_t slash = target.find_last_of('/');
  const std::string folder =
      slash == target.npos ? "." : target.substr(0, slash + 1);
  descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  // The file gets its name through /proc.
  if (isOpen() && ::access(pathOf(descriptor).c_str(), F_OK) == 0)
    return 0;
  close();
  std::string beside = nameBeside(target);
  descriptor =
      ::open(beside.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (!isOpen())
    return errno;
  name = std::move(beside);
  return 0;
}

int NewFile::giveName(const std::string &target) {
  if (!name.empty())
    return 0;
  std::string beside = nameBeside(target);
  if (::linkat(AT_FDCWD, pathOf(descriptor).c_str(), AT_FDCWD, beside.c_str(),
               AT_SYMLINK_FOLLOW) != 0)
    return errno;
  name = std::move(beside);
  return 0;
}

int NewFile::keep(const std::string &target, std::string &kept) {
  if (int error = giveName(target))
    return error;
  kept = std::exchange(name, {});
  return close();
}

int NewFile::replace(const std::string &target) {
  // The system's error if the target is a folder.
  if (struct stat info = {};
      ::stat(target.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
    return EISDIR;
  if (int error = giveName(target))
    return error;
  // A full disk may be reported only here.
  if (int error = close())
    return error;
  if (std::rename(name.c_str(), target.c_str()) != 0)
    return errno;
  name.clear();
  return 0;
}

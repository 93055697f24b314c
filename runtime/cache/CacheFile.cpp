//===- CacheFile.cpp - reading and writing whole small files --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/CacheFile.h"
#include "runtime/error/SizeSignal.h"
#include "runtime/file/NewFile.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace kern::runtime;

CacheFile::CacheFile(CacheFile &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)) {}

CacheFile &CacheFile::operator=(CacheFile &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  return *this;
}

CacheFile::~CacheFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

CacheFile CacheFile::open(const std::string &path) {
  int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int descriptor = ::open(path.c_str(), O_RDWR | flags);
  if (descriptor < 0)
    descriptor = ::open(path.c_str(), O_RDONLY | flags);
  return CacheFile(descriptor);
}

CacheFile CacheFile::create(const std::string &path) {
  return CacheFile(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

std::string CacheFile::whyForeign() const {
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return "it cannot be asked for its owner";
  return kern::runtime::whyForeign(status.st_uid, status.st_mode, ::geteuid());
}

uint64_t CacheFile::size() const {
  struct stat status;
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return 0;
  return uint64_t(status.st_size);
}

std::string CacheFile::read(uint64_t bytes) const {
  std::string out(bytes, '\0');
  size_t done = 0;
  while (done < out.size()) {
    ssize_t got =
        ::pread(descriptor, out.data() + done, out.size() - done, off_t(done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    done += size_t(got);
  }
  out.resize(done);
  return out;
}

int CacheFile::write(std::string_view bytes) const {
  return writeFully(descriptor, bytes.data(), bytes.size());
}

void CacheFile::overwrite(uint64_t at, uint64_t number) const {
  char bytes[8];
  for (int i = 0; i < 8; ++i)
    bytes[i] = char(number >> (8 * i));
  NoSizeSignal guard;
  // A failure only loses one count.
  [[maybe_unused]] ssize_t done =
      ::pwrite(descriptor, bytes, sizeof bytes, off_t(at));
}

int kern::runtime::makeFolders(const std::string &path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST)
    return 0;
  size_t slash = path.find_last_of('/');
  if (errno != ENOENT || slash == std::string::npos || slash == 0)
    return errno;
  if (int failure = makeFolders(path.substr(0, slash)))
    return failure;
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST ? 0 : errno;
}

std::string kern::runtime::whyForeign(uid_t owner, mode_t mode, uid_t user) {
  if (owner != user && owner != 0)
    return "it belongs to another user";
  bool isShared = mode & (S_IWGRP | S_IWOTH);
  if (isShared && !(S_ISDIR(mode) && mode & S_ISVTX))
    return "others can write to it";
  return "";
}

std::string kern::runtime::whyForeignFolder(const std::string &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return "";
  return whyForeign(status.st_uid, status.st_mode, ::geteuid());
}

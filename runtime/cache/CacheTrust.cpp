//===- CacheTrust.cpp - whose entries are believed ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/CacheTrust.h"

#include <sys/stat.h>
#include <unistd.h>

std::string kern::whyForeign(uid_t owner, mode_t mode, uid_t user) {
  if (owner != user && owner != 0)
    return "it belongs to another user";
  bool isShared = mode & (S_IWGRP | S_IWOTH);
  if (isShared && !(S_ISDIR(mode) && mode & S_ISVTX))
    return "others can write to it";
  return "";
}

std::string kern::whyForeignFolder(const std::string &path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return "";
  return whyForeign(status.st_uid, status.st_mode, ::geteuid());
}

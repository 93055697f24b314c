//===- CacheTrust.h - whose entries are believed ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machine code from the cache is run: only what nobody else can have put there
// is used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <sys/types.h>

namespace kern {

/// Why a file or folder with this owner and mode (as stat has it) may hold what
/// another than `user` or root put there: "it belongs to another user",
/// "others can write to it". "" if it cannot. A folder whose entries only their
/// owners can rename (/tmp) counts as written by its owner alone.
std::string whyForeign(uid_t owner, mode_t mode, uid_t user);

/// The same of a folder that is there, for the user of this process. "" where
/// there is none.
std::string whyForeignFolder(const std::string &path);

} // namespace kern

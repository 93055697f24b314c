//===- ReadFile.h - the text of a file ------------------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <string>

namespace kern {

/// The text of a file. KERN_ERROR_NOT_FOUND if there is none, KERN_ERROR_IO if
/// it cannot be read or is a directory.
Expected<std::string> readFile(const std::string &path);

} // namespace kern

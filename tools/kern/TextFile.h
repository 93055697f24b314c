//===- TextFile.h - reading a file of text -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <string>

namespace kern::cli {

/// The whole of a file, or of the standard input for "-". KERN_ERROR_IO with
/// the path and the system's reason; a folder is no file.
Expected<std::string> readText(const std::string &path);

} // namespace kern::cli

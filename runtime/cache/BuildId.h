//===- BuildId.h - which build of Kern this is ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace kern {

/// Differs for every build whose code differs: the linker's build ID of the
/// library or program that holds this code, in hexadecimal digits. Where the
/// linker made none, the size and time of that file.
const std::string &buildId();

/// The same of the library or program that holds the code at this address.
std::string buildIdOf(const void *code);

} // namespace kern

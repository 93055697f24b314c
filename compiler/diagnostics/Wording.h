//===- Wording.h - numbers in messages ------------------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>

namespace kern {

/// "1 dimension", "2 dimensions".
std::string counted(size_t count, std::string_view noun);
/// "1 index is", "2 indices are", given "index" and "indices".
std::string countedAre(size_t count, std::string_view one,
                       std::string_view many);

/// The digits of an integer that may be wider than 64 bits.
std::string decimal(__int128 value);

} // namespace kern

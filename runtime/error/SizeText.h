//===- SizeText.h - numbers of bytes for people -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>

namespace kern {

/// "1.5 GiB": for messages.
std::string sizeText(uint64_t bytes);

} // namespace kern

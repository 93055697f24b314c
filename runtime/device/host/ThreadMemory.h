//===- ThreadMemory.h - memory that a thread keeps --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace kern::host {

/// At least `bytes` of memory of the calling thread, aligned as Memory.h says,
/// whose content is of no account. It stays the thread's for its next request,
/// which may give the same again: nobody holds it beyond one call. NULL if
/// there is no more.
std::byte *threadMemory(size_t bytes);

} // namespace kern::host

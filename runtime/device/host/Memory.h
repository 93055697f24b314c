//===- Memory.h - host memory for arrays ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

#include <cstddef>
#include <memory>

namespace kern::runtime::host {

/// Enough for any vector load of the host.
inline constexpr size_t alignment = 64;

/// `bytes` (0 included) of uninitialised memory, freed with the last owner.
/// KERN_ERROR_MEMORY if there is not enough.
Expected<Buffer> allocate(size_t bytes);

/// At least `bytes` of memory of the calling thread, aligned as above, with
/// undefined contents. It is valid until the thread's next request, which may
/// return the same memory. NULL if there is not enough.
std::byte *threadMemory(size_t bytes);

} // namespace kern::runtime::host

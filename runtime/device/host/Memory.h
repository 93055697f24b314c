//===- Memory.h - host memory for arrays ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <cstddef>
#include <memory>

namespace kern::host {

/// Aligned so that any vector load of the host's may start at it.
inline constexpr size_t alignment = 64;

/// `bytes` (0 included) of uninitialised memory, freed with the last owner.
/// KERN_ERROR_MEMORY if there is no more.
Expected<std::shared_ptr<void>> allocate(size_t bytes);

} // namespace kern::host

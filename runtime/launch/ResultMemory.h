//===- ResultMemory.h - new results in the caller's memory ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/array/StridedView.h"

#include <string>

namespace kern::runtime {

/// Asks the caller's allocator for the memory of result `index` of `function`,
/// in the form of `view`, whose strides are multiples of the element's size and
/// whose data is not looked at. KERN_ERROR_MEMORY if it gives none,
/// KERN_ERROR_ARGUMENT if the address is not aligned as kern_allocator says.
Expected<std::byte *> allocateResult(const kern_allocator &allocator,
                                     const std::string &function, size_t index,
                                     const StridedView &view);

} // namespace kern::runtime

//===- Memory.cpp - host memory for arrays --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/Memory.h"
#include "runtime/error/SizeText.h"

#include <cstdlib>
#include <sys/mman.h>

using namespace kern;

static constexpr size_t hugePage = size_t(1) << 21;

Expected<std::shared_ptr<void>> host::allocate(size_t bytes) {
  // A fault for each small page of a large array takes as long as filling it.
  bool isLarge = bytes >= 2 * hugePage;
  size_t unit = isLarge ? hugePage : alignment;
  size_t rounded = (bytes / unit + 1) * unit;
  std::unique_ptr<void, decltype(&std::free)> memory(
      rounded < bytes ? nullptr : std::aligned_alloc(unit, rounded),
      &std::free);
  if (memory && isLarge)
    ::madvise(memory.get(), rounded, MADV_HUGEPAGE); // a wish
  if (!memory)
    return Error{KERN_ERROR_MEMORY,
                 "out of memory: " + sizeText(bytes) + " on the host"};
  return std::shared_ptr<void>(std::move(memory));
}

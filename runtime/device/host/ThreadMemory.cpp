//===- ThreadMemory.cpp - memory that a thread keeps ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/ThreadMemory.h"
#include "runtime/device/host/Memory.h"

#include <cstdlib>
#include <memory>

using namespace kern;

namespace {
struct Kept {
  std::unique_ptr<void, decltype(&std::free)> memory{nullptr, &std::free};
  size_t bytes = 0;
};
} // namespace

std::byte *host::threadMemory(size_t bytes) {
  thread_local Kept kept;
  if (bytes > kept.bytes) {
    size_t rounded = (bytes / alignment + 1) * alignment;
    kept.bytes = 0;
    kept.memory.reset(std::aligned_alloc(alignment, rounded));
    if (!kept.memory)
      return nullptr;
    kept.bytes = rounded;
  }
  return static_cast<std::byte *>(kept.memory.get());
}

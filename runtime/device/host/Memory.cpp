//===- Memory.cpp - host memory for arrays --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/Memory.h"
#include "runtime/error/Counted.h"

#include <cstdlib>
#include <memory>
#include <sys/mman.h>

using namespace kern::runtime;

static constexpr size_t hugePage = size_t(1) << 21;

Expected<Buffer> host::allocate(size_t bytes) {
  // Page faults on the small pages of a large array take as long as filling it.
  bool isLarge = bytes >= 2 * hugePage;
  size_t unit = isLarge ? hugePage : alignment;
  size_t rounded = (bytes / unit + 1) * unit;
  std::unique_ptr<std::byte, decltype(&std::free)> memory(
      rounded < bytes
          ? nullptr
          : static_cast<std::byte *>(std::aligned_alloc(unit, rounded)),
      &std::free);
  if (memory && isLarge)
    ::madvise(memory.get(), rounded, MADV_HUGEPAGE); // may be refused
  if (!memory)
    return Error(ErrorCode::out_of_memory, {sizeText(bytes), "the host"});
  return Buffer(std::shared_ptr<std::byte>(std::move(memory)));
}

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

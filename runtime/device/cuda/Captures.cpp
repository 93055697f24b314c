//===- Captures.cpp - graphs that are being recorded ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Captures.h"

#include "runtime/device/cuda/Memory.h"

#include <algorithm>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

namespace {
/// Memory of a graph, as long as its array lives.
struct LentMemory {
  std::shared_ptr<Capture> capture;
  Buffer memory;
  size_t bytes = 0;
  ~LentMemory() {
    if (memory)
      capture->give(bytes, std::move(memory));
  }
};
} // namespace

Expected<Buffer> Capture::allocate(size_t bytes) {
  auto lent = std::make_shared<LentMemory>();
  lent->capture = shared_from_this();
  lent->bytes = BlockCache::blockSize(bytes);
  Buffer found;
  {
    std::lock_guard lock(mutex);
    if (auto at = idle.find(lent->bytes); at != idle.end()) {
      found = std::move(at->second);
      idle.erase(at);
    }
  }
  if (!found) {
    Expected<Buffer> fresh = allocateOwn(context, lent->bytes);
    if (!fresh)
      return fresh.error();
    std::lock_guard lock(mutex);
    memory.push_back(*fresh);
    found = std::move(*fresh);
  }
  lent->memory = std::move(found);
  std::byte *const data = lent->memory.data();
  use(data, /*isWritten=*/true);
  return Buffer(std::shared_ptr<std::byte>(std::move(lent), data));
}

void Capture::give(size_t bytes, Buffer memory) noexcept {
  std::lock_guard lock(mutex);
  if (hasEnded) // a replay still uses it
    return;
  try {
    idle.emplace(bytes, std::move(memory));
  } catch (...) { // no memory for the entry: it is not used again
  }
}

void Capture::keep(const std::shared_ptr<Module> &module) {
  std::lock_guard lock(mutex);
  if (module && std::ranges::find(modules, module) == modules.end())
    modules.push_back(module);
}

void Capture::use(const std::byte *address, bool isWritten) {
  const Region *region = context->regions().find(
      CUdeviceptr(reinterpret_cast<uintptr_t>(address)));
  if (!region)
    return;
  std::lock_guard lock(mutex);
  auto at = std::ranges::find(used, region->serial.load(), &Use::serial);
  if (at == used.end())
    used.push_back({address, region->serial, isWritten});
  else
    at->isWritten |= isWritten;
}

void Capture::end() {
  std::lock_guard lock(mutex);
  hasEnded = true;
  idle.clear();
}

std::shared_ptr<Capture> Captures::of(CUstream stream) const {
  std::lock_guard lock(mutex);
  auto at = captures.find(stream);
  return at == captures.end() ? nullptr : at->second;
}

void Captures::begin(CUstream stream, std::shared_ptr<Capture> capture) {
  std::lock_guard lock(mutex);
  captures[stream] = std::move(capture);
  count = int(captures.size());
}

void Captures::end(CUstream stream) {
  std::lock_guard lock(mutex);
  captures.erase(stream);
  count = int(captures.size());
}

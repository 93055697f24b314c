//===- PinnedPool.cpp - page-locked host memory ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/PinnedPool.h"

#include "runtime/error/Counted.h"

#include <algorithm>
#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

/// Of what is kept, so that arrays of almost one size share it.
static constexpr size_t page = 4096;

static Error allocatorFailed(ErrorCode code, size_t bytes,
                             std::initializer_list<TextArgument> arguments) {
  return Error(code, arguments)
      .add(Addition::asked_for, {sizeText(bytes), "the host, page-locked"});
}

Error PinnedPool::outOfMemory(size_t bytes) const {
  Error error(ErrorCode::out_of_memory,
              {sizeText(bytes), "the host, page-locked"});
  const MemoryTotals now = totals();
  error.add(Addition::memory_held, {sizeText(now.inUse), sizeText(now.cached)});
  if (settings.limit())
    error.add(Addition::memory_limit, {sizeText(settings.limit())});
  return error;
}

/// New memory of the driver's.
Expected<void *> PinnedPool::lockPages(size_t bytes) {
  const Driver &driver = context.driver();
  CaptureUndisturbed undisturbed(driver);
  auto attempt = [&](void **memory) {
    return settings.isBeyond(totals().inUse + bytes)
               ? CUDA_ERROR_OUT_OF_MEMORY
               : driver.cuMemHostAlloc(memory, bytes, CU_MEMHOSTALLOC_PORTABLE);
  };
  void *memory = nullptr;
  CUresult result = attempt(&memory);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    trim();
    result = attempt(&memory);
  }
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return outOfMemory(bytes);
  if (Status status = check(driver, result, "cuMemHostAlloc"); !status)
    return status.error();
  return memory;
}

Expected<void *> PinnedPool::take(size_t bytes) {
  {
    std::lock_guard lock(mutex);
    if (auto at = kept.find(bytes); at != kept.end()) {
      void *memory = at->second;
      kept.erase(at);
      sum.cached -= bytes;
      sum.inUse += bytes;
      sum.peak = std::max(sum.peak, sum.inUse);
      return memory;
    }
  }
  Expected<void *> memory = lockPages(bytes);
  if (!memory)
    return memory.error();
  std::lock_guard lock(mutex);
  sum.inUse += bytes;
  sum.peak = std::max(sum.peak, sum.inUse);
  return *memory;
}

void PinnedPool::free(void *memory) noexcept {
  CaptureUndisturbed undisturbed(context.driver());
  // A failure here comes from earlier work; the next call reports it.
  try {
    ContextScope scope(context);
    context.driver().cuMemFreeHost(memory);
  } catch (...) { // no memory for a message
    context.driver().cuMemFreeHost(memory);
  }
}

void PinnedPool::give(void *memory, size_t bytes, bool isKept) noexcept {
  {
    std::lock_guard lock(mutex);
    sum.inUse -= bytes;
    try {
      if (isKept && sum.cached + bytes <= maxCached) {
        kept.emplace(bytes, memory);
        sum.cached += bytes;
        return;
      }
    } catch (...) { // no memory for the entry
    }
  }
  free(memory);
}

void PinnedPool::trim() {
  std::multimap<size_t, void *> all;
  {
    std::lock_guard lock(mutex);
    all = std::exchange(kept, {});
    sum.cached = 0;
  }
  for (auto [bytes, memory] : all)
    free(memory);
}

MemoryTotals PinnedPool::totals() const {
  std::lock_guard lock(mutex);
  return sum;
}

void PinnedPool::resetPeak() {
  std::lock_guard lock(mutex);
  sum.peak = sum.inUse;
}

namespace {
/// The memory of an array, given back on destruction.
struct PinnedArrayMemory {
  std::shared_ptr<Context> context;
  MemorySettings::Allocator allocator; ///< NULL: the pool's
  void *memory = nullptr;
  size_t bytes = 0;

  ~PinnedArrayMemory() {
    if (!memory)
      return;
    if (allocator)
      allocator->free(allocator->context, memory, bytes,
                      {kDLCUDAHost, context->ordinal()}, nullptr);
    else
      context->pinned().give(memory, bytes, /*isKept=*/true);
  }
};
} // namespace

Expected<Buffer> PinnedPool::allocate(const std::shared_ptr<Context> &owner,
                                      size_t bytes) {
  ContextScope scope(context);
  if (!scope.status)
    return scope.status.error();
  auto out = std::make_shared<PinnedArrayMemory>();
  out->context = owner;
  out->bytes = std::max<size_t>(bytes, 1);
  if (MemorySettings::Allocator allocator = settings.allocator()) {
    out->memory =
        allocator->allocate(allocator->context, out->bytes,
                            {kDLCUDAHost, context.ordinal()}, nullptr);
    if (!out->memory)
      return allocatorFailed(ErrorCode::allocator_failed, bytes, {});
    out->allocator = std::move(allocator);
    if (reinterpret_cast<uintptr_t>(out->memory) % allocatorAlignment)
      return allocatorFailed(ErrorCode::allocator_misaligned, bytes,
                             {allocatorAlignment});
  } else {
    out->bytes = (out->bytes + page - 1) / page * page;
    Expected<void *> memory = take(out->bytes);
    if (!memory)
      return memory.error();
    out->memory = *memory;
  }
  auto *data = static_cast<std::byte *>(out->memory);
  return Buffer(std::shared_ptr<std::byte>(std::move(out), data));
}

Expected<PinnedMemory> PinnedMemory::allocate(const Context &context,
                                              size_t bytes) {
  Expected<void *> pointer = context.pinned().take(bytes);
  if (!pointer)
    return pointer.error();
  PinnedMemory memory;
  memory.pool = &context.pinned();
  memory.pointer = *pointer;
  memory.size = bytes;
  return memory;
}

PinnedMemory::PinnedMemory(PinnedMemory &&other) noexcept
    : pool(other.pool), pointer(std::exchange(other.pointer, nullptr)),
      size(other.size) {}

PinnedMemory &PinnedMemory::operator=(PinnedMemory &&other) noexcept {
  std::swap(pool, other.pool);
  std::swap(pointer, other.pointer);
  std::swap(size, other.size);
  return *this;
}

PinnedMemory::~PinnedMemory() {
  if (pointer)
    pool->give(pointer, size, /*isKept=*/false);
}

bool cuda::isPinned(const Context &context, uintptr_t first, uintptr_t last) {
  // Of memory that the driver does not know it makes zeros.
  CUmemorytype type = {};
  CUdeviceptr start = 0;
  size_t size = 0;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                      CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void *values[] = {&type, &start, &size};
  return context.driver().cuPointerGetAttributes(
             std::size(attributes), attributes, values, CUdeviceptr(first)) ==
             CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_HOST && start <= first && last - start < size;
}

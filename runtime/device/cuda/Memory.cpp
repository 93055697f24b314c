//===- Memory.cpp - device and pinned memory ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Memory.h"

#include "runtime/device/cuda/CallOrder.h"
#include "runtime/device/cuda/Captures.h"
#include "runtime/device/cuda/DeviceFree.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

namespace {
/// One allocation, given back on destruction.
struct Allocation {
  std::shared_ptr<Context> context;
  Block block;
  HomeStream home;
  /// The block's size if BlockCache takes it back; 0 if the driver does.
  size_t blockSize = 0;
  MemorySettings::Allocator allocator; ///< NULL: the memory is Kern's own
  bool isOrdered = false;              ///< used in the order of `home` alone

  ~Allocation() {
    if (!block.pointer)
      return;
    if (allocator)
      giveBackTo(*allocator, *context, *block.region,
                 reinterpret_cast<std::byte *>(block.pointer), home, isOrdered);
    else
      giveBack(*context, block, blockSize, home);
  }
};

Error outOfMemory(const Context &context, size_t bytes) {
  Error error(ErrorCode::out_of_memory,
              {sizeText(bytes), text(context.device())});
  size_t free = 0, total = 0;
  if (context.driver().cuMemGetInfo(&free, &total) == CUDA_SUCCESS)
    error.add(Addition::memory_free, {sizeText(free), sizeText(total)});
  if (Expected<MemoryTotals> now = memoryTotals(context))
    error.add(Addition::memory_held,
              {sizeText(now->inUse), sizeText(now->cached)});
  if (uint64_t limit = context.settings().limit())
    error.add(Addition::memory_limit, {sizeText(limit)});
  return error;
}

/// Notes new memory, or gives it back if there is no memory for the note.
Region *add(Context &context, Block block, CUdeviceptr pointer, size_t size) {
  try {
    return &context.regions().add(pointer, size);
  } catch (...) {
    // Nothing has used it: any stream will do.
    if (block.isPooled) {
      context.driver().cuMemFreeAsync(pointer, nullptr);
    } else {
      CaptureUndisturbed undisturbed(context.driver());
      context.driver().cuMemFree(pointer);
    }
    throw;
  }
}

Buffer bufferOf(std::shared_ptr<Allocation> allocation) {
  auto *data = reinterpret_cast<std::byte *>(allocation->block.pointer);
  return Buffer(std::shared_ptr<std::byte>(std::move(allocation), data));
}

/// Memory for an allocation, from the pool or directly. On failure tries once
/// more after the cached blocks and the pool have released their memory.
Expected<Buffer> obtain(std::shared_ptr<Allocation> allocation, size_t bytes) {
  Context *context = allocation->context.get();
  ContextScope scope(*context);
  if (!scope.status)
    return scope.status.error();
  const Driver &driver = context->driver();
  size_t size = allocation->blockSize ? allocation->blockSize
                                      : std::max<size_t>(bytes, 1);
  auto attempt = [&](CUdeviceptr *pointer) {
    if (context->settings().isBeyond(context->regions().totals().bytes + size))
      return CUDA_ERROR_OUT_OF_MEMORY;
    if (allocation->block.isPooled)
      return driver.cuMemAllocFromPoolAsync(pointer, size, context->pool(),
                                            allocation->home.stream);
    CaptureUndisturbed undisturbed(driver);
    return driver.cuMemAlloc(pointer, size);
  };
  CUdeviceptr pointer = 0;
  CUresult result = attempt(&pointer);
  if (result == CUDA_ERROR_OUT_OF_MEMORY && context->releaseUnused())
    result = attempt(&pointer);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return outOfMemory(*context, bytes);
  if (Status status =
          check(driver, result,
                allocation->block.isPooled ? "cuMemAllocFromPoolAsync"
                                           : "cuMemAlloc");
      !status)
    return context->attribute(status).error();
  allocation->block.region = add(*context, allocation->block, pointer, size);
  allocation->block.pointer = pointer;
  if (!allocation->home.isRecorded) // else it is the graph's
    CallOrder::noteAllocation(*context, *allocation->block.region,
                              allocation->home.stream);
  return bufferOf(std::move(allocation));
}
} // namespace

/// Memory for an allocation from the caller's allocator.
static Expected<Buffer> obtainFrom(MemorySettings::Allocator allocator,
                                   std::shared_ptr<Allocation> allocation,
                                   size_t bytes) {
  Context &context = *allocation->context;
  const size_t size = std::max<size_t>(bytes, 1);
  auto refuse = [&](ErrorCode code,
                    std::initializer_list<TextArgument> arguments = {}) {
    return Error(code, arguments)
        .add(Addition::asked_for, {sizeText(bytes), text(context.device())});
  };
  void *memory = allocator->allocate(allocator->context, size, context.device(),
                                     allocation->home.stream);
  if (!memory)
    return refuse(ErrorCode::allocator_failed);
  const auto pointer = CUdeviceptr(reinterpret_cast<uintptr_t>(memory));
  auto giveBackUnused = [&] {
    allocator->free(allocator->context, memory, size, context.device(),
                    allocation->home.stream);
  };
  if (pointer % allocatorAlignment) {
    giveBackUnused();
    return refuse(ErrorCode::allocator_misaligned, {allocatorAlignment});
  }
  try {
    allocation->block.region = &context.regions().add(pointer, size);
  } catch (...) { // no memory for the note
    giveBackUnused();
    throw;
  }
  allocation->block.pointer = pointer;
  allocation->allocator = std::move(allocator);
  if (!allocation->home.isRecorded)
    CallOrder::noteAllocation(context, *allocation->block.region,
                              allocation->home.stream);
  return bufferOf(std::move(allocation));
}

static std::shared_ptr<Allocation>
newAllocation(const std::shared_ptr<Context> &context) {
  auto fresh = std::make_shared<Allocation>();
  fresh->context = context;
  return fresh;
}

Expected<Buffer> cuda::allocateOwn(const std::shared_ptr<Context> &context,
                                   size_t bytes) {
  return obtain(newAllocation(context), bytes);
}

Expected<Buffer> cuda::allocate(const std::shared_ptr<Context> &context,
                                size_t bytes) {
  std::shared_ptr<Allocation> fresh = newAllocation(context);
  MemorySettings::Allocator allocator = context->settings().allocator();
  if (!allocator)
    return obtain(std::move(fresh), bytes);
  Expected<Buffer> memory =
      obtainFrom(std::move(allocator), std::move(fresh), bytes);
  if (!memory)
    return memory;
  // An allocator's memory is there in the order of the default stream, and any
  // stream may use this.
  ContextScope scope(*context);
  if (!scope.status)
    return scope.status.error();
  const Driver &driver = context->driver();
  CaptureUndisturbed undisturbed(driver);
  if (Status status = check(driver, driver.cuStreamSynchronize(nullptr),
                            "cuStreamSynchronize");
      !status)
    return context->attribute(status).error();
  return memory;
}

/// The stream as the home of an allocation, and whether blocks may be cached
/// for it. They may not if it is unknown, or while the stream is captured: the
/// graph owns that memory.
static bool identify(const Driver &driver, HomeStream &home) {
  if (!home.stream)
    return true; // unique, and never captured
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (driver.cuStreamIsCapturing(home.stream, &status) != CUDA_SUCCESS)
    return false;
  home.isRecorded = status != CU_STREAM_CAPTURE_STATUS_NONE;
  return !home.isRecorded &&
         driver.cuStreamGetId(home.stream, &home.id) == CUDA_SUCCESS &&
         home.id != 0;
}

Expected<Buffer> cuda::allocateOrdered(const std::shared_ptr<Context> &context,
                                       size_t bytes, CUstream stream) {
  if (context->captures().areAny())
    if (std::shared_ptr<Capture> capture = context->captures().of(stream))
      return capture->allocate(bytes);
  MemorySettings::Allocator allocator = context->settings().allocator();
  if (!allocator && !context->pool())
    return allocate(context, bytes);
  std::shared_ptr<Allocation> fresh = newAllocation(context);
  fresh->block.isPooled = true;
  fresh->isOrdered = true;
  fresh->home.stream = stream;
  const bool isIdentified = identify(context->driver(), fresh->home);
  if (isIdentified && context->blocks().isAnyParked())
    freeParked(*context, fresh->home);
  if (allocator)
    return obtainFrom(std::move(allocator), std::move(fresh), bytes);
  if (isIdentified && bytes <= BlockCache::largest) {
    fresh->blockSize = BlockCache::blockSize(bytes);
    if (Block block = context->blocks().take(fresh->home.id, fresh->blockSize);
        block.pointer) {
      fresh->block = block;
      CallOrder::noteAllocation(*context, *block.region, stream);
      return bufferOf(std::move(fresh));
    }
    fresh->block.isPooled = !context->startupBlocks().passesPool();
  }
  return obtain(std::move(fresh), bytes);
}

Expected<MemoryTotals> cuda::memoryTotals(const Context &context) {
  const Regions::Totals regions = context.regions().totals();
  const size_t blocks = context.blocks().size();
  MemoryTotals out = {regions.bytes - std::min(regions.bytes, blocks), blocks,
                      regions.peak};
  if (!context.pool())
    return out;
  const Driver &driver = context.driver();
  cuuint64_t used = 0, reserved = 0;
  for (auto [attribute, value] :
       {std::pair(CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used),
        std::pair(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved)})
    if (Status status = check(
            driver,
            driver.cuMemPoolGetAttribute(context.pool(), attribute, value),
            "cuMemPoolGetAttribute");
        !status)
      return status.error();
  out.cached += reserved - std::min(used, reserved);
  return out;
}

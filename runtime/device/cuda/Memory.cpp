//===- Memory.cpp - device and pinned memory ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Memory.h"

#include "runtime/device/cuda/CallOrder.h"
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

  ~Allocation() {
    if (block.pointer)
      giveBack(*context, block, blockSize, home);
  }
};

Error outOfMemory(const Context &context, size_t bytes) {
  return Error(ErrorCode::out_of_memory,
               {sizeText(bytes), text(context.device())});
}

/// Notes new memory, or gives it back if there is no memory for the note.
Region *add(Context &context, Block block, CUdeviceptr pointer, size_t size) {
  try {
    return &context.regions().add(pointer, size);
  } catch (...) {
    // Nothing has used it: any stream will do.
    if (block.isPooled)
      context.driver().cuMemFreeAsync(pointer, nullptr);
    else
      context.driver().cuMemFree(pointer);
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
    if (allocation->block.isPooled)
      return driver.cuMemAllocFromPoolAsync(pointer, size, context->pool(),
                                            allocation->home.stream);
    CaptureUndisturbed undisturbed(driver);
    return driver.cuMemAlloc(pointer, size);
  };
  CUdeviceptr pointer = 0;
  CUresult result = attempt(&pointer);
  if (result == CUDA_ERROR_OUT_OF_MEMORY && context->pool()) {
    context->releaseUnused();
    result = attempt(&pointer);
  }
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
  CallOrder::noteAllocation(*context, *allocation->block.region,
                            allocation->home.stream);
  return bufferOf(std::move(allocation));
}
} // namespace

Expected<Buffer> cuda::allocate(const std::shared_ptr<Context> &context,
                                size_t bytes) {
  auto fresh = std::make_shared<Allocation>();
  fresh->context = context;
  return obtain(std::move(fresh), bytes);
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
  if (!context->pool())
    return allocate(context, bytes);
  auto fresh = std::make_shared<Allocation>();
  fresh->context = context;
  fresh->block.isPooled = true;
  fresh->home.stream = stream;
  const bool isIdentified = identify(context->driver(), fresh->home);
  if (isIdentified && context->blocks().hasParked())
    freeParked(*context, fresh->home);
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

Expected<PinnedMemory> PinnedMemory::allocate(const Context &context,
                                              size_t bytes) {
  PinnedMemory memory;
  memory.driver = &context.driver();
  const CUresult result = memory.driver->cuMemHostAlloc(
      &memory.pointer, bytes, CU_MEMHOSTALLOC_PORTABLE);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return Error(ErrorCode::out_of_memory,
                 {sizeText(bytes), "the host, page-locked"});
  if (Status status = check(*memory.driver, result, "cuMemHostAlloc"); !status)
    return status.error();
  return memory;
}

PinnedMemory::PinnedMemory(PinnedMemory &&other) noexcept
    : driver(other.driver), pointer(std::exchange(other.pointer, nullptr)) {}

PinnedMemory &PinnedMemory::operator=(PinnedMemory &&other) noexcept {
  std::swap(driver, other.driver);
  std::swap(pointer, other.pointer);
  return *this;
}

PinnedMemory::~PinnedMemory() {
  if (pointer)
    driver->cuMemFreeHost(pointer);
}

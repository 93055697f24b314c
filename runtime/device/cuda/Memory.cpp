//===- Memory.cpp - device and pinned memory ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Memory.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <utility>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

namespace {
/// One allocation, freed on destruction.
struct Allocation {
  std::shared_ptr<Context> context;
  CUdeviceptr pointer = 0;
  bool isPooled = false;
  CUstream stream = nullptr;
  /// The block's size if BlockCache takes it back; 0 if the driver does.
  size_t blockSize = 0;
  unsigned long long streamId = 0;

  ~Allocation() {
    if (!pointer || (blockSize && context->blocks().give(streamId, blockSize,
                                                         {pointer, isPooled})))
      return;
    // A failure here comes from earlier work; the next call reports it.
    ContextScope scope(*context);
    const Driver &driver = context->driver();
    if (isPooled) {
      driver.cuMemFreeAsync(pointer, stream);
    } else {
      CaptureUndisturbed undisturbed(driver);
      driver.cuMemFree(pointer);
    }
  }
};

Error outOfMemory(const Context &context, size_t bytes) {
  return Error(ErrorCode::out_of_memory,
               {sizeText(bytes), text(context.device())});
}

/// Memory for `fresh`, from the pool or directly. On failure tries once more
/// after the cached blocks and the pool have released their memory.
Expected<Buffer> obtain(const std::shared_ptr<Context> &context, size_t bytes,
                        const Allocation &fresh) {
  ContextScope scope(*context);
  if (!scope.status)
    return scope.status.error();
  const Driver &driver = context->driver();
  auto allocation = std::make_shared<Allocation>(fresh);
  size_t size = allocation->blockSize ? allocation->blockSize
                                      : std::max<size_t>(bytes, 1);
  auto attempt = [&](CUdeviceptr *pointer) {
    if (allocation->isPooled)
      return driver.cuMemAllocFromPoolAsync(pointer, size, context->pool(),
                                            allocation->stream);
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
  if (Status status = check(driver, result,
                            allocation->isPooled ? "cuMemAllocFromPoolAsync"
                                                 : "cuMemAlloc");
      !status)
    return context->attribute(status).error();
  allocation->pointer = pointer;
  return Buffer(std::shared_ptr<std::byte>(
      std::move(allocation), reinterpret_cast<std::byte *>(pointer)));
}
} // namespace

Expected<Buffer> cuda::allocate(const std::shared_ptr<Context> &context,
                                size_t bytes) {
  Allocation fresh;
  fresh.context = context;
  return obtain(context, bytes, fresh);
}

/// The identifier of a stream whose blocks may be cached. False if it is
/// unknown, or while the stream is captured: the graph owns that memory.
static bool identify(const Driver &driver, CUstream stream,
                     unsigned long long &id) {
  if (!stream) {
    id = 0; // unique, and never captured
    return true;
  }
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return driver.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
         status == CU_STREAM_CAPTURE_STATUS_NONE &&
         driver.cuStreamGetId(stream, &id) == CUDA_SUCCESS && id != 0;
}

Expected<Buffer> cuda::allocateOrdered(const std::shared_ptr<Context> &context,
                                       size_t bytes, CUstream stream) {
  if (!context->pool())
    return allocate(context, bytes);
  Allocation fresh;
  fresh.context = context;
  fresh.isPooled = true;
  fresh.stream = stream;
  if (bytes <= BlockCache::largest &&
      identify(context->driver(), stream, fresh.streamId)) {
    fresh.blockSize = BlockCache::blockSize(bytes);
    BlockCache &blocks = context->blocks();
    if (Block block = blocks.take(fresh.streamId, fresh.blockSize);
        block.pointer) {
      auto allocation = std::make_shared<Allocation>(fresh);
      allocation->pointer = block.pointer;
      allocation->isPooled = block.isPooled;
      return Buffer(std::shared_ptr<std::byte>(
          std::move(allocation), reinterpret_cast<std::byte *>(block.pointer)));
    }
    fresh.isPooled = !context->startupBlocks().passesPool();
  }
  return obtain(context, bytes, fresh);
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
  CaptureUndisturbed undisturbed(*memory.driver);
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
  if (!pointer)
    return;
  CaptureUndisturbed undisturbed(*driver);
  driver->cuMemFreeHost(pointer);
}

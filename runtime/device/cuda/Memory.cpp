//===- Memory.cpp - device and pinned memory ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/host/Memory.h"

#include <algorithm>
#include <functional>
#include <utility>

using namespace kern;
using namespace kern::cuda;

namespace {
/// One allocation; frees it when it goes.
struct Allocation {
  std::shared_ptr<Context> context;
  CUdeviceptr pointer = 0;
  bool isOrdered = false;
  CUstream stream = nullptr;
  /// Where the block goes when it is freed (BlockCache); 0: to the driver.
  size_t blockSize = 0;
  unsigned long long streamId = 0;

  ~Allocation() {
    if (!pointer ||
        (blockSize && context->blocks().give(streamId, blockSize, pointer)))
      return;
    // A failure here is one that earlier work left behind and that the next
    // call reports.
    ContextScope scope(*context);
    if (isOrdered)
      context->driver().cuMemFreeAsync(pointer, stream);
    else
      context->driver().cuMemFree(pointer);
  }
};

Error outOfMemory(const Context &context, size_t bytes) {
  return {KERN_ERROR_MEMORY, "out of memory: " + host::sizeText(bytes) +
                                 " on " + text(context.device())};
}

/// Tries, and once more after the pool has given back what it kept.
Expected<std::shared_ptr<void>>
obtain(std::shared_ptr<Context> context, size_t bytes, const char *call,
       Allocation fresh,
       const std::function<CUresult(CUdeviceptr *)> &attempt) {
  ContextScope scope(*context);
  if (!scope.status)
    return scope.status.error();
  const Driver &driver = context->driver();
  auto allocation = std::make_shared<Allocation>(std::move(fresh));
  CUdeviceptr pointer = 0;
  CUresult result = attempt(&pointer);
  if (result == CUDA_ERROR_OUT_OF_MEMORY && context->pool()) {
    context->releaseUnused();
    result = attempt(&pointer);
  }
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return outOfMemory(*context, bytes);
  if (Status status = check(driver, result, call); !status)
    return context->blame(status).error();
  allocation->pointer = pointer;
  return std::shared_ptr<void>(std::move(allocation),
                               reinterpret_cast<void *>(pointer));
}
} // namespace

Expected<std::shared_ptr<void>> cuda::allocate(std::shared_ptr<Context> context,
                                               size_t bytes) {
  const Driver &driver = context->driver();
  size_t size = std::max<size_t>(bytes, 1);
  Allocation fresh;
  fresh.context = context;
  return obtain(context, bytes, "cuMemAlloc", std::move(fresh),
                [&driver, size](CUdeviceptr *pointer) {
                  return driver.cuMemAlloc(pointer, size);
                });
}

/// The identifier of a stream whose blocks may be kept; false if it cannot be
/// told, or while the stream is captured: what a graph uses is the graph's.
static bool identify(const Driver &driver, CUstream stream,
                     unsigned long long &id) {
  if (!stream) {
    id = 0; // no other stream has it; it is never captured
    return true;
  }
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return driver.cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
         status == CU_STREAM_CAPTURE_STATUS_NONE &&
         driver.cuStreamGetId(stream, &id) == CUDA_SUCCESS && id != 0;
}

Expected<std::shared_ptr<void>>
cuda::allocateOrdered(std::shared_ptr<Context> context, size_t bytes,
                      CUstream stream) {
  if (!context->pool())
    return allocate(std::move(context), bytes);
  const Driver &driver = context->driver();
  size_t size = std::max<size_t>(bytes, 1);
  CUmemoryPool pool = context->pool();
  Allocation fresh;
  fresh.context = context;
  fresh.isOrdered = true;
  fresh.stream = stream;
  if (size <= BlockCache::largest && identify(driver, stream, fresh.streamId)) {
    size = fresh.blockSize = BlockCache::blockSize(size);
    if (CUdeviceptr block = context->blocks().take(fresh.streamId, size)) {
      auto allocation = std::make_shared<Allocation>(std::move(fresh));
      allocation->pointer = block;
      return std::shared_ptr<void>(std::move(allocation),
                                   reinterpret_cast<void *>(block));
    }
  }
  return obtain(context, bytes, "cuMemAllocFromPoolAsync", std::move(fresh),
                [&driver, size, pool, stream](CUdeviceptr *pointer) {
                  return driver.cuMemAllocFromPoolAsync(pointer, size, pool,
                                                        stream);
                });
}

Expected<PinnedMemory> PinnedMemory::allocate(const Context &context,
                                              size_t bytes) {
  PinnedMemory memory;
  memory.driver = &context.driver();
  if (Status status =
          check(*memory.driver,
                memory.driver->cuMemHostAlloc(&memory.pointer, bytes, 0),
                "cuMemHostAlloc");
      !status)
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

//===- CApiMemory.cpp - memory of GPUs, and page-locked memory ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/memory.h"
#include "runtime/capi/SizedStruct.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"

using namespace kern::runtime;

static Error missing(const char *what) {
  return Error(ErrorCode::null_pointer, {what});
}

static constexpr size_t infoSizes[] = {sizeof(kern_memory_info)};
static constexpr StructVersions infoVersions = {"kern_memory_info", infoSizes};
static constexpr size_t allocatorSizes[] = {sizeof(kern_memory_allocator)};
static constexpr StructVersions allocatorVersions = {"kern_memory_allocator",
                                                     allocatorSizes};

namespace {
/// The memory that a kern_device names.
struct NamedMemory {
  std::shared_ptr<cuda::Context> context;
  bool isPinned = false;

  cuda::MemorySettings &settings() const {
    return isPinned ? context->pinned().settings : context->settings();
  }
  Expected<cuda::MemoryTotals> totals() const {
    if (isPinned)
      return context->pinned().totals();
    cuda::ContextScope scope(*context);
    if (!scope.status)
      return scope.status.error();
    return cuda::memoryTotals(*context);
  }
  void resetPeak() const {
    if (isPinned)
      context->pinned().resetPeak();
    else
      context->regions().resetPeak();
  }
  Status trim() const {
    cuda::ContextScope scope(*context);
    if (!scope.status)
      return scope.status;
    if (!isPinned)
      return context->attribute(context->releaseUnused());
    context->pinned().trim();
    return {};
  }
};

Expected<NamedMemory> memoryOf(kern_device device) {
  const int type = int(rawValue(device.device_type));
  if (type == kDLCPU)
    return Error(ErrorCode::memory_of_host, {text(hostDevice())});
  if (type != kDLCUDA && type != kDLCUDAHost)
    return Error(ErrorCode::no_devices_of_type, {type});
  auto context = cuda::Platform::current()->context(device.device_id);
  if (!context)
    return context.error();
  return NamedMemory{std::move(*context), type == kDLCUDAHost};
}
} // namespace

extern "C" kern_status kern_memory_describe(kern_device device,
                                            kern_memory_info *info) {
  return guarded([&]() -> Status {
    if (!info)
      return missing("the place for the description");
    if (Status status = checkSizedPlace(infoVersions, info); !status)
      return status;
    Expected<NamedMemory> memory = memoryOf(device);
    if (!memory)
      return memory.error();
    Expected<cuda::MemoryTotals> totals = memory->totals();
    if (!totals)
      return totals.error();
    const kern_memory_info known = {sizeof known, totals->inUse, totals->cached,
                                    totals->peak, memory->settings().limit()};
    writeSized(infoVersions, &known, info);
    return {};
  });
}

extern "C" kern_status kern_memory_reset_peak(kern_device device) {
  return guarded([&]() -> Status {
    Expected<NamedMemory> memory = memoryOf(device);
    if (!memory)
      return memory.error();
    memory->resetPeak();
    return {};
  });
}

extern "C" kern_status kern_memory_set_limit(kern_device device,
                                             uint64_t bytes) {
  return guarded([&]() -> Status {
    Expected<NamedMemory> memory = memoryOf(device);
    if (!memory)
      return memory.error();
    memory->settings().setLimit(bytes);
    return {};
  });
}

extern "C" kern_status kern_memory_trim(kern_device device) {
  return guarded([&]() -> Status {
    Expected<NamedMemory> memory = memoryOf(device);
    if (!memory)
      return memory.error();
    return memory->trim();
  });
}

extern "C" kern_status
kern_memory_set_allocator(kern_device device,
                          const kern_memory_allocator *allocator) {
  return guarded([&]() -> Status {
    std::shared_ptr<kern_memory_allocator> known;
    if (allocator) {
      known = std::make_shared<kern_memory_allocator>();
      if (Status status = readSized(allocatorVersions, allocator, known.get());
          !status)
        return status;
      if (!known->allocate || !known->free)
        return Error(ErrorCode::allocator_without_function);
    }
    Expected<NamedMemory> memory = memoryOf(device);
    if (!memory)
      return memory.error();
    memory->settings().setAllocator(std::move(known));
    return {};
  });
}

/// `body(driver)` with the context of the first GPU current, whose memory
/// registered memory is; all GPUs know it.
template <typename Body> static Status onFirstGpu(Body body) {
  auto context = cuda::Platform::current()->context(0);
  if (!context)
    return context.error();
  cuda::ContextScope scope(**context);
  if (!scope.status)
    return scope.status;
  cuda::CaptureUndisturbed undisturbed((*context)->driver());
  return body((*context)->driver());
}

extern "C" kern_status kern_host_register(void *memory, size_t bytes) {
  return guarded([&]() -> Status {
    if (!memory)
      return missing("the memory");
    if (!bytes)
      return Error(ErrorCode::no_memory_given);
    return onFirstGpu([&](const cuda::Driver &driver) -> Status {
      const CUresult result =
          driver.cuMemHostRegister(memory, bytes, CU_MEMHOSTREGISTER_PORTABLE);
      if (result == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
        return Error(ErrorCode::registered_already);
      return cuda::check(driver, result, "cuMemHostRegister");
    });
  });
}

extern "C" kern_status kern_host_unregister(void *memory) {
  return guarded([&]() -> Status {
    if (!memory)
      return missing("the memory");
    return onFirstGpu([&](const cuda::Driver &driver) -> Status {
      const CUresult result = driver.cuMemHostUnregister(memory);
      if (result == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)
        return Error(ErrorCode::not_registered);
      return cuda::check(driver, result, "cuMemHostUnregister");
    });
  });
}

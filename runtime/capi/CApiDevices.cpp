//===- CApiDevices.cpp - devices, and the threads of the CPU --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/threads.h"
#include "runtime/capi/SizedStruct.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/device/host/Cpu.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/LastError.h"

#include <algorithm>
#include <cstring>

using namespace kern::runtime;

extern "C" int kern_cuda_device_count(void) {
  int count = 0;
  guarded([&]() -> Status {
    count = cuda::Platform::current()->deviceCount();
    return {};
  });
  return count;
}

extern "C" const char *kern_cuda_unavailable_reason(void) {
  const char *reason = "";
  guarded([&]() -> Status {
    // The platform lives as long as the process, and so does the text.
    reason = cuda::Platform::current()->unavailableReason().c_str();
    return {};
  });
  return reason;
}

static Status describeCuda(int ordinal, kern_device_info &info) {
  Expected<std::shared_ptr<cuda::Context>> context =
      cuda::Platform::current()->context(ordinal);
  if (!context)
    return context.error();
  const cuda::Driver &driver = (*context)->driver();
  cuda::ContextScope scope(**context);
  if (!scope.status)
    return scope.status;
  CUdevice device = 0;
  size_t free = 0, total = 0;
  Status status =
      cuda::check(driver, driver.cuDeviceGet(&device, ordinal), "cuDeviceGet");
  if (status)
    status = cuda::check(
        driver, driver.cuDeviceGetName(info.name, sizeof info.name, device),
        "cuDeviceGetName");
  if (status)
    status =
        cuda::check(driver, driver.cuMemGetInfo(&free, &total), "cuMemGetInfo");
  if (!status)
    return status;
  info.compute_capability = (*context)->computeCapability();
  info.multiprocessors = (*context)->multiprocessors();
  info.memory = total;
  info.memory_free = free;
  return {};
}

static Status describeHost(kern_device_info &info) {
  host::Cpu cpu = host::describeCpu();
  std::memcpy(info.name, cpu.name.c_str(),
              std::min(cpu.name.size(), sizeof info.name - 1));
  info.multiprocessors = int(cpu.cores);
  info.memory = cpu.memory;
  info.memory_free = cpu.memoryFree;
  return {};
}

static Status describe(kern_device device, kern_device_info &info) {
  if (int(rawValue(device.device_type)) == kDLCUDA)
    return describeCuda(device.device_id, info);
  if (isHost(device))
    return describeHost(info);
  return Error(ErrorCode::no_device_of_type,
               {int(rawValue(device.device_type)), device.device_id});
}

static constexpr size_t infoSizes[] = {sizeof(kern_device_info)};
static constexpr StructVersions infoVersions = {"kern_device_info", infoSizes};

extern "C" kern_status kern_device_describe(kern_device device,
                                            kern_device_info *info) {
  return guarded([&]() -> Status {
    if (!info)
      return Error(ErrorCode::null_pointer, {"the place for the description"});
    if (Status status = checkSizedPlace(infoVersions, info); !status)
      return status;
    kern_device_info known = {};
    Status status = describe(device, known);
    if (status)
      writeSized(infoVersions, &known, info);
    return status;
  });
}

extern "C" int kern_get_num_threads(void) {
  int count = 1;
  guarded([&]() -> Status {
    count = int(host::ThreadPool::shared().size());
    return {};
  });
  return count;
}

extern "C" kern_status kern_set_num_threads(int count) {
  return guarded([&]() -> Status {
    if (count < 1 || count > KERN_MAX_THREADS)
      return Error(ErrorCode::thread_count, {KERN_MAX_THREADS, count});
    host::ThreadPool::shared().resize(unsigned(count));
    return {};
  });
}

//===- DeviceRecord.cpp - a record of checks on a GPU ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/DeviceRecord.h"

#include "runtime/device/cuda/Capture.h"
#include "runtime/device/cuda/Memory.h"

using namespace kern;

static CUdeviceptr pointer(const std::shared_ptr<void> &memory) {
  return CUdeviceptr(reinterpret_cast<uintptr_t>(memory.get()));
}

Expected<DeviceRecord>
DeviceRecord::make(std::shared_ptr<cuda::Context> context, CUstream stream) {
  const cuda::Driver &driver = context->driver();
  Expected<bool> isCaptured = cuda::isCaptured(driver, stream);
  if (!isCaptured)
    return isCaptured.error();
  if (*isCaptured)
    return Error{KERN_ERROR_ARGUMENT,
                 "a call with checks cannot be captured in a graph: what they "
                 "find is read after the launch"};
  DeviceRecord record;
  auto memory = cuda::allocateOrdered(context, sizeof(CheckRecord), stream);
  if (!memory)
    return memory.error();
  record.memory = std::move(*memory);
  record.stream = stream;
  record.context = std::move(context);
  if (Status status = record.context->blame(
          cuda::check(driver,
                      driver.cuMemsetD8Async(pointer(record.memory), 0,
                                             sizeof(CheckRecord), stream),
                      "cuMemsetD8Async"));
      !status)
    return status.error();
  return record;
}

Expected<CheckRecord> DeviceRecord::read() const {
  const cuda::Driver &driver = context->driver();
  CheckRecord found;
  if (Status status = context->blame(
          cuda::check(driver,
                      driver.cuMemcpyDtoHAsync(&found, pointer(memory),
                                               sizeof found, stream),
                      "cuMemcpyDtoHAsync"));
      !status)
    return status.error();
  if (Status status = context->blame(cuda::check(
          driver, driver.cuStreamSynchronize(stream), "cuStreamSynchronize"));
      !status)
    return status.error();
  return found;
}

//===- DeviceRecord.cpp - a record of checks on a GPU ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/DeviceRecord.h"

#include "runtime/device/cuda/Driver.h"
#include "runtime/device/cuda/Memory.h"

using namespace kern::runtime;

static CUdeviceptr pointer(const Buffer &memory) {
  return CUdeviceptr(reinterpret_cast<uintptr_t>(memory.data()));
}

Expected<DeviceRecord>
DeviceRecord::make(std::shared_ptr<cuda::Context> context, CUstream stream) {
  const cuda::Driver &driver = context->driver();
  Expected<bool> isCaptured = cuda::isCaptured(driver, stream);
  if (!isCaptured)
    return isCaptured.error();
  if (*isCaptured)
    return Error(ErrorCode::checks_during_capture);
  DeviceRecord record;
  auto memory = cuda::allocateOrdered(context, sizeof(CheckRecord), stream);
  if (!memory)
    return memory.error();
  record.memory = std::move(*memory);
  record.stream = stream;
  record.context = std::move(context);
  if (Status status = record.context->attribute(
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
  if (Status status = context->attribute(
          cuda::check(driver,
                      driver.cuMemcpyDtoHAsync(&found, pointer(memory),
                                               sizeof found, stream),
                      "cuMemcpyDtoHAsync"));
      !status)
    return status.error();
  cuda::CaptureUndisturbed undisturbed(driver);
  if (Status status = context->attribute(cuda::check(
          driver, driver.cuStreamSynchronize(stream), "cuStreamSynchronize"));
      !status)
    return status.error();
  return found;
}

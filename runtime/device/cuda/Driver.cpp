//===- Driver.cpp - the CUDA driver as a table of functions ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Driver.h"

#include <atomic>
#include <dlfcn.h>
#include <pthread.h>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

// Two steps, so that cuda.h's macros expand before the name becomes a string.
#define KERN_CUDA_STRING(name) #name
#define KERN_CUDA_SYMBOL(name) KERN_CUDA_STRING(name)

Expected<std::shared_ptr<const Driver>> cuda::loadDriver() {
  // Never closed: the driver has its own threads and exit handlers.
  void *library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error(ErrorCode::driver_missing);
  auto driver = std::make_shared<Driver>();
  const char *missing = nullptr;
#define KERN_CUDA_LOAD(name)                                                   \
  driver->name = reinterpret_cast<decltype(driver->name)>(                     \
      ::dlsym(library, KERN_CUDA_SYMBOL(name)));
#define KERN_CUDA_NEED(name)                                                   \
  KERN_CUDA_LOAD(name)                                                         \
  if (!driver->name && !missing)                                               \
    missing = KERN_CUDA_SYMBOL(name);
  KERN_CUDA_FUNCTIONS(KERN_CUDA_NEED)
  KERN_CUDA_NEWER_FUNCTIONS(KERN_CUDA_LOAD)
#undef KERN_CUDA_NEED
#undef KERN_CUDA_LOAD
  if (!driver->cuEventElapsedTime) // before CUDA 12.8
    driver->cuEventElapsedTime =
        reinterpret_cast<decltype(driver->cuEventElapsedTime)>(
            ::dlsym(library, "cuEventElapsedTime"));
  if (missing)
    return Error(ErrorCode::driver_too_old, {missing});
  return std::shared_ptr<const Driver>(std::move(driver));
}

static std::atomic<bool> inUse = false, forked = false;

void cuda::noteUse() {
  if (!inUse.exchange(true))
    ::pthread_atfork(nullptr, nullptr, [] { forked = true; });
}

bool cuda::isForked() { return forked.load(std::memory_order_relaxed); }

Error cuda::driverError(const Driver &driver, CUresult result, const char *call,
                        ErrorCode code) {
  if (isForked())
    return Error(ErrorCode::driver_after_fork);
  const char *name = nullptr, *meaning = nullptr;
  driver.cuGetErrorName(result, &name);
  driver.cuGetErrorString(result, &meaning);
  Error error(code,
              {call, name ? name : "CUDA error " + std::to_string(int(result)),
               meaning ? " (" + std::string(meaning) + ")" : ""});
  if (result == CUDA_ERROR_NOT_INITIALIZED) // by another library
    error.add(Addition::perhaps_forked, {});
  return error;
}

Status cuda::check(const Driver &driver, CUresult result, const char *call) {
  if (result == CUDA_SUCCESS)
    return {};
  return driverError(driver, result, call,
                     result == CUDA_ERROR_OUT_OF_MEMORY
                         ? ErrorCode::driver_out_of_memory
                         : ErrorCode::driver_call);
}

Expected<bool> cuda::isCaptured(const Driver &driver, CUstream stream) {
  if (!stream) // the default stream is never captured
    return false;
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  if (Status status =
          check(driver, driver.cuStreamIsCapturing(stream, &capture),
                "cuStreamIsCapturing");
      !status)
    return status.error();
  return capture != CU_STREAM_CAPTURE_STATUS_NONE;
}

CUresult cuda::synchronizeContext(const Driver &driver) {
  CaptureUndisturbed undisturbed(driver);
  return driver.cuCtxSynchronize();
}

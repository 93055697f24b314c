//===- Driver.h - the CUDA driver as a table of functions -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver is loaded at run time; nothing links libcuda. Every use of CUDA
// goes through this table, so that a test double can stand in for it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <cuda.h>
#include <memory>

namespace kern::runtime::cuda {

/// Every function used. cuda.h's macros turn a name into that of its current
/// version (cuMemAlloc into cuMemAlloc_v2), here and at each use.
#define KERN_CUDA_FUNCTIONS(X)                                                 \
  X(cuInit)                                                                    \
  X(cuDriverGetVersion)                                                        \
  X(cuGetErrorName)                                                            \
  X(cuGetErrorString)                                                          \
  X(cuDeviceGetCount)                                                          \
  X(cuDeviceGet)                                                               \
  X(cuDeviceGetName)                                                           \
  X(cuDeviceGetAttribute)                                                      \
  X(cuDeviceTotalMem)                                                          \
  X(cuDevicePrimaryCtxRetain)                                                  \
  X(cuDevicePrimaryCtxRelease)                                                 \
  X(cuCtxPushCurrent)                                                          \
  X(cuCtxPopCurrent)                                                           \
  X(cuCtxGetCurrent)                                                           \
  X(cuCtxSetCurrent)                                                           \
  X(cuCtxGetDevice)                                                            \
  X(cuCtxEnablePeerAccess)                                                     \
  X(cuDeviceCanAccessPeer)                                                     \
  X(cuCtxSynchronize)                                                          \
  X(cuMemGetInfo)                                                              \
  X(cuMemAlloc)                                                                \
  X(cuMemFree)                                                                 \
  X(cuMemPoolCreate)                                                           \
  X(cuMemPoolDestroy)                                                          \
  X(cuMemPoolSetAttribute)                                                     \
  X(cuMemPoolSetAccess)                                                        \
  X(cuMemPoolGetAttribute)                                                     \
  X(cuMemPoolTrimTo)                                                           \
  X(cuMemAllocFromPoolAsync)                                                   \
  X(cuMemFreeAsync)                                                            \
  X(cuMemHostAlloc)                                                            \
  X(cuMemFreeHost)                                                             \
  X(cuMemHostRegister)                                                         \
  X(cuMemHostUnregister)                                                       \
  X(cuPointerGetAttributes)                                                    \
  X(cuMemcpyHtoDAsync)                                                         \
  X(cuMemcpyDtoHAsync)                                                         \
  X(cuMemsetD8Async)                                                           \
  X(cuMemcpyDtoDAsync)                                                         \
  X(cuMemcpyPeerAsync)                                                         \
  X(cuModuleLoadDataEx)                                                        \
  X(cuModuleUnload)                                                            \
  X(cuModuleGetFunction)                                                       \
  X(cuFuncSetAttribute)                                                        \
  X(cuLaunchKernel)                                                            \
  X(cuStreamCreate)                                                            \
  X(cuStreamQuery)                                                             \
  X(cuStreamDestroy)                                                           \
  X(cuStreamWaitEvent)                                                         \
  X(cuStreamGetId)                                                             \
  X(cuStreamIsCapturing)                                                       \
  X(cuStreamBeginCapture)                                                      \
  X(cuStreamEndCapture)                                                        \
  X(cuGraphInstantiate)                                                        \
  X(cuGraphLaunch)                                                             \
  X(cuGraphExecDestroy)                                                        \
  X(cuGraphDestroy)                                                            \
  X(cuStreamSynchronize)                                                       \
  X(cuThreadExchangeStreamCaptureMode)                                         \
  X(cuEventCreate)                                                             \
  X(cuEventDestroy)                                                            \
  X(cuEventQuery)                                                              \
  X(cuEventRecord)                                                             \
  X(cuEventSynchronize)

/// Functions that older drivers lack; NULL there. cuEventElapsedTime is the old
/// function of that name then.
#define KERN_CUDA_NEWER_FUNCTIONS(X)                                           \
  X(cuLaunchKernelEx)                                                          \
  X(cuDeviceGetUuid)                                                           \
  X(cuEventElapsedTime)

struct Driver {
#define KERN_CUDA_MEMBER(name) decltype(&::name) name = nullptr;
  KERN_CUDA_FUNCTIONS(KERN_CUDA_MEMBER)
  KERN_CUDA_NEWER_FUNCTIONS(KERN_CUDA_MEMBER)
#undef KERN_CUDA_MEMBER
};

/// Loads libcuda.so.1. KERN_ERROR_DEVICE says why it cannot be used: not
/// installed, or too old to have every function.
Expected<std::shared_ptr<const Driver>> loadDriver();

/// Success, or an error that names the call, CUDA's name for the failure and
/// its meaning. Out of memory is KERN_ERROR_MEMORY, all else KERN_ERROR_DEVICE.
Status check(const Driver &driver, CUresult result, const char *call);

/// From here on the process uses CUDA.
void noteUse();
/// Whether the process was forked from one that had used CUDA. The driver's
/// state is not copied by a fork: every call of it fails then.
bool isForked();

/// The driver's message about a failed call, as an error with this code.
Error driverError(const Driver &driver, CUresult result, const char *call,
                  ErrorCode code);

/// Whether work enqueued on `stream` is recorded in a graph instead of
/// executed. KERN_ERROR_DEVICE if the driver cannot tell, for example while an
/// error of earlier work is pending.
Expected<bool> isCaptured(const Driver &driver, CUstream stream);

/// Allows this thread to allocate, to load code, to ask and to wait while
/// another one captures a graph. By default each would invalidate the capture.
class CaptureUndisturbed {
public:
  explicit CaptureUndisturbed(const Driver &driver)
      : driver(driver),
        entered(driver.cuThreadExchangeStreamCaptureMode(&mode) ==
                CUDA_SUCCESS) {}
  ~CaptureUndisturbed() {
    if (entered)
      driver.cuThreadExchangeStreamCaptureMode(&mode);
  }
  CaptureUndisturbed(const CaptureUndisturbed &) = delete;
  CaptureUndisturbed &operator=(const CaptureUndisturbed &) = delete;

private:
  const Driver &driver;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  bool entered;
};

/// cuCtxSynchronize, also while another thread captures a graph.
CUresult synchronizeContext(const Driver &driver);

} // namespace kern::runtime::cuda

//===- Launch.cpp - kernel launches ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Launch.h"

using namespace kern;

static bool isEarly(const cuda::Context &context, cuda::GridBlock shape) {
  return shape.waits && context.launchesEarly();
}

static CUresult launch(const cuda::Context &context, CUfunction function,
                       cuda::GridBlock shape, std::span<const int64_t> words,
                       CUstream stream) {
  const cuda::Driver &driver = context.driver();
  // All parameters are of one size, so that the row of words is already the
  // buffer in which the driver wants them.
  size_t size = words.size_bytes();
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER,
                   const_cast<int64_t *>(words.data()),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  if (!isEarly(context, shape))
    return driver.cuLaunchKernel(function, shape.grid, 1, 1, shape.blockX,
                                 shape.blockY, 1, shape.sharedBytes, stream,
                                 nullptr, extra);
  CUlaunchAttribute early = {};
  early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  early.value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config = {};
  config.gridDimX = shape.grid;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = shape.blockX;
  config.blockDimY = shape.blockY;
  config.blockDimZ = 1;
  config.sharedMemBytes = shape.sharedBytes;
  config.hStream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  return driver.cuLaunchKernelEx(&config, function, nullptr, extra);
}

/// Whether a kernel that runs, or has run, is at fault; what a launch asked for
/// itself is not.
static bool isLeftByAKernel(CUresult result) {
  switch (result) {
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
    return true;
  default:
    return false;
  }
}

static Status checkLaunch(cuda::Context &context, cuda::GridBlock shape,
                          CUresult result) {
  Status status = cuda::check(context.driver(), result,
                              isEarly(context, shape) ? "cuLaunchKernelEx"
                                                      : "cuLaunchKernel");
  return isLeftByAKernel(result) ? context.blame(std::move(status)) : status;
}

Status cuda::launchWords(Context &context, CUfunction function, GridBlock shape,
                         std::span<const int64_t> words, CUstream stream) {
  return checkLaunch(context, shape,
                     launch(context, function, shape, words, stream));
}

Status cuda::launchAnywhere(Context &context, CUfunction function,
                            GridBlock shape, std::span<const int64_t> words,
                            CUstream stream) {
  // A launch that fails costs nothing, but tools that watch the driver report
  // it: the usual thread makes none.
  context.greetThread();
  CUresult result = launch(context, function, shape, words, stream);
  // A function belongs to its context, so that the driver itself tells whether
  // the right one is current.
  if (result == CUDA_ERROR_INVALID_CONTEXT ||
      result == CUDA_ERROR_CONTEXT_IS_DESTROYED ||
      result == CUDA_ERROR_INVALID_HANDLE) {
    context.adoptThread();
    ContextScope scope(context);
    if (!scope.status)
      return scope.status;
    result = launch(context, function, shape, words, stream);
  }
  return checkLaunch(context, shape, result);
}

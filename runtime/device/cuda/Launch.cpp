//===- Launch.cpp - kernel launches ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Launch.h"

using namespace kern::runtime;

namespace {
/// The driver's result for a launch, and the name of the called function.
struct Launched {
  CUresult result;
  const char *call;
};
} // namespace

static Launched launchInTurn(const cuda::Driver &driver, CUfunction function,
                             cuda::GridBlock shape, CUstream stream,
                             void **words) {
  return {driver.cuLaunchKernel(function, shape.grid, 1, 1, shape.blockX,
                                shape.blockY, 1, shape.sharedBytes, stream,
                                nullptr, words),
          "cuLaunchKernel"};
}

static Launched launchWith(CUlaunchAttribute attribute,
                           const cuda::Driver &driver, CUfunction function,
                           cuda::GridBlock shape, CUstream stream,
                           void **words) {
  CUlaunchConfig config = {};
  config.gridDimX = shape.grid;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = shape.blockX;
  config.blockDimY = shape.blockY;
  config.blockDimZ = 1;
  config.sharedMemBytes = shape.sharedBytes;
  config.hStream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return {driver.cuLaunchKernelEx(&config, function, nullptr, words),
          "cuLaunchKernelEx"};
}

/// Lets the kernel begin before the one before it in the stream has ended.
static CUlaunchAttribute early() {
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attribute.value.programmaticStreamSerializationAllowed = 1;
  return attribute;
}

/// Makes all blocks resident, so that they may wait for one another.
static CUlaunchAttribute cooperative() {
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  return attribute;
}

static Launched launch(cuda::Context &context, CUfunction function,
                       cuda::GridBlock shape, std::span<const int64_t> words,
                       CUstream stream) {
  const cuda::Driver &driver = context.driver();
  constexpr unsigned withoutAsking = 48 << 10;
  if (shape.sharedBytes > withoutAsking)
    if (CUresult result = driver.cuFuncSetAttribute(
            function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            int(shape.sharedBytes));
        result != CUDA_SUCCESS)
      return {result, "cuFuncSetAttribute"};
  // All parameters have the same size, so that the words already form the
  // buffer that the driver expects.
  size_t size = words.size_bytes();
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER,
                   const_cast<int64_t *>(words.data()),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  if (shape.isCooperative)
    return launchWith(cooperative(), driver, function, shape, stream, extra);
  if (!shape.waits || !context.launchesEarly())
    return launchInTurn(driver, function, shape, stream, extra);
  Launched launched =
      launchWith(early(), driver, function, shape, stream, extra);
  if (launched.result != CUDA_ERROR_NOT_SUPPORTED &&
      launched.result != CUDA_ERROR_INVALID_VALUE)
    return launched;
  // A layer between this process and the GPU may not support early launches.
  Launched inTurn = launchInTurn(driver, function, shape, stream, extra);
  // What a graph cannot record says nothing of other launches.
  Expected<bool> isRecorded = cuda::isCaptured(driver, stream);
  if (inTurn.result == CUDA_SUCCESS && isRecorded && !*isRecorded)
    context.launchInTurn();
  return inTurn;
}

/// Whether an earlier kernel caused the error, not this launch's arguments.
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

static Status checkLaunch(cuda::Context &context, Launched launched) {
  auto [result, call] = launched;
  Status status = cuda::check(context.driver(), result, call);
  return isLeftByAKernel(result) ? context.attribute(std::move(status))
                                 : status;
}

Status cuda::launchWords(Context &context, CUfunction function, GridBlock shape,
                         std::span<const int64_t> words, CUstream stream) {
  return checkLaunch(context, launch(context, function, shape, words, stream));
}

Status cuda::launchAnywhere(Context &context, CUfunction function,
                            GridBlock shape, std::span<const int64_t> words,
                            CUstream stream) {
  // Tools that trace the driver report failed launches, so make the context
  // current first, once per thread.
  context.ensureCurrentOnce();
  Launched launched = launch(context, function, shape, words, stream);
  // A function belongs to its context: if another context is current, the
  // driver reports it.
  if (launched.result == CUDA_ERROR_INVALID_CONTEXT ||
      launched.result == CUDA_ERROR_CONTEXT_IS_DESTROYED ||
      launched.result == CUDA_ERROR_INVALID_HANDLE) {
    context.ensureCurrent();
    ContextScope scope(context);
    if (!scope.status)
      return scope.status;
    launched = launch(context, function, shape, words, stream);
  }
  return checkLaunch(context, launched);
}

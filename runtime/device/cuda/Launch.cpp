//===- Launch.cpp - kernel launches ---------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Launch.h"

using namespace kern;

Status cuda::launchWords(const Driver &driver, CUfunction function,
                         GridBlock shape, std::span<const int64_t> words,
                         CUstream stream) {
  // All parameters are of one size, so that the row of words is already the
  // buffer in which the driver wants them.
  size_t size = words.size_bytes();
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER,
                   const_cast<int64_t *>(words.data()),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  return check(driver,
               driver.cuLaunchKernel(function, shape.grid, 1, 1, shape.blockX,
                                     shape.blockY, 1, 0, stream, nullptr,
                                     extra),
               "cuLaunchKernel");
}

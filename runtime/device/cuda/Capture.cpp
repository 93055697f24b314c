//===- Capture.cpp - streams of which a graph is made ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Capture.h"

using namespace kern;

Expected<bool> cuda::isCaptured(const Driver &driver, CUstream stream) {
  if (!stream) // the default stream never is
    return false;
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  if (Status status =
          check(driver, driver.cuStreamIsCapturing(stream, &capture),
                "cuStreamIsCapturing");
      !status)
    return status.error();
  return capture != CU_STREAM_CAPTURE_STATUS_NONE;
}

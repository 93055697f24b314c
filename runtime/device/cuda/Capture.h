//===- Capture.h - streams of which a graph is made -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Driver.h"

namespace kern::cuda {

/// Whether what is enqueued on `stream` is recorded for a graph instead of
/// done. KERN_ERROR_DEVICE if the driver does not tell, as while an error that
/// earlier work left is pending.
Expected<bool> isCaptured(const Driver &driver, CUstream stream);

} // namespace kern::cuda

//===- DefaultTarget.h - what to compile for untold -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/Cache.h"

namespace kern {

/// The compute capability of this machine's first GPU; 75 without one. Asking
/// the driver costs a tenth of a second and more: `cache` keeps the answer for
/// the very same driver and GPUs.
int defaultComputeCapability(Cache &cache);

} // namespace kern

//===- PeerCopy.h - copies from GPU to GPU ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

namespace kern::runtime {

/// Copies an array on the device of `from` to one of the same shape and type on
/// that of `to`, with any strides, directly. It begins when all work on both
/// devices is complete that was enqueued before, and is complete on return.
/// Where the GPUs can reach each other's memory they do from then on, in this
/// process; else the driver takes another way.
Status copyBetweenGpus(const std::shared_ptr<cuda::Context> &to,
                       const StridedView &destination,
                       const std::shared_ptr<cuda::Context> &from,
                       const StridedView &source);

} // namespace kern::runtime

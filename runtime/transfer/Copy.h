//===- Copy.h - copies between any places -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

namespace kern::runtime {

/// Copies between arrays of one shape with any strides, converting elements,
/// on `stream`. At least one is on the device of `context`; the other there
/// too or on the host. On the device complex does not convert to real. When
/// the destination is on the host it is complete on return; a source on the
/// host may be changed on return. The arrays must not overlap. `stream` must
/// not be captured where one of them is on the host.
Status copyWithDevice(const std::shared_ptr<cuda::Context> &context,
                      CUstream stream, const StridedView &destination,
                      const StridedView &source);

/// Copies between arrays on the context's device, with any strides: where
/// `mask`, of bool on the same device, is true, or everywhere. The context must
/// be current. Returns once the copy is enqueued.
Status copyOnDevice(const std::shared_ptr<cuda::Context> &context,
                    CUstream stream, const StridedView &destination,
                    const StridedView &source,
                    const StridedView *mask = nullptr);

/// Between any host and device arrays of one type, two devices included.
/// Complete on return.
Status copyAnywhere(const StridedView &destination, const StridedView &source);

} // namespace kern::runtime

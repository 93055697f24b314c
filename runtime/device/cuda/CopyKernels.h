//===- CopyKernels.h - strided copies on the device -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Module.h"

#include <map>
#include <mutex>

namespace kern::cuda {

/// Copies between device arrays by kernels that are made when first needed
/// (CopyPtx.h), or by the driver where both are dense alike.
class CopyKernels {
public:
  /// The context owns its kernels.
  explicit CopyKernels(Context &context) : context(context) {}

  /// Enqueues a copy of `source` to `destination`, of one shape, converting
  /// elements. The context must be current.
  Status copy(const StridedView &destination, const StridedView &source,
              CUstream stream);

private:
  Expected<CUfunction> kernel(DType from, DType to, unsigned dims, bool wide);

  struct Loaded {
    ModuleHandle module;
    CUfunction function = nullptr;
  };
  Context &context;
  std::mutex mutex;
  std::map<std::string, Loaded> kernels; ///< by symbol
};

} // namespace kern::cuda

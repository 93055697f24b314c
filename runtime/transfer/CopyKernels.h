//===- CopyKernels.h - strided copies on the device -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Module.h"
#include "runtime/transfer/CopyPtx.h"

#include <map>
#include <mutex>

namespace kern::runtime {

/// Copies between device arrays: by kernels, each made on first use
/// (CopyPtx.h), or by the driver where both arrays are dense in the same order.
class CopyKernels : public cuda::ContextResource {
public:
  /// Context::resource() makes it.
  explicit CopyKernels(cuda::Context &context) : context(context) {}

  /// Enqueues a copy of `source` to `destination`, of one shape, converting
  /// elements. The context must be current.
  Status copy(const StridedView &destination, const StridedView &source,
              CUstream stream) {
    return copy(destination, source, nullptr, stream);
  }
  /// Where `mask`, of bool on the device, is true; NULL: everywhere.
  Status copy(const StridedView &destination, const StridedView &source,
              const StridedView *mask, CUstream stream);

private:
  Expected<CUfunction> kernel(const CopyKind &kind);

  struct Loaded {
    cuda::ModuleHandle module;
    CUfunction function = nullptr;
  };
  cuda::Context &context;
  std::mutex mutex;
  std::map<std::string, Loaded> kernels; ///< by symbol
};

} // namespace kern::runtime

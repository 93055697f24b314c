//===- CudaSpace.h - calls on a GPU -----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/space/Space.h"

namespace kern::runtime {

/// A GPU and the stream of one call.
class CudaSpace final : public Space {
public:
  CudaSpace(std::shared_ptr<cuda::Context> context, CUstream stream)
      : context(std::move(context)), stream(stream) {}
  DLDevice device() const override { return context->device(); }
  /// Kernels convert and apply masks themselves, if such kernels can be made.
  LaunchCapabilities capabilities(const Loop &loop) const override {
    bool makes = loop.makesVariants();
    return {false, makes, makes, false};
  }
  bool goesInOrder(int64_t) const override { return false; }
  Expected<bool> canTransfer() const override;
  /// In the stream's order.
  Expected<Buffer> allocate(size_t bytes) override;
  Status copy(const StridedView &destination,
              const StridedView &source) override;
  Status copyWhere(const StridedView &destination, const StridedView &source,
                   const StridedView &mask) override;
  Status clear(void *memory, size_t bytes) override;
  /// Enqueues. Layouts of more than six dimensions and grids beyond the
  /// hardware's limit become several launches.
  Status launch(const Launch &launch, kern_call_report &report) override;
  Expected<std::optional<LaunchTemplate>>
  prepare(const Launch &launch) override;

private:
  std::shared_ptr<cuda::Context> context;
  CUstream stream;
};

} // namespace kern::runtime

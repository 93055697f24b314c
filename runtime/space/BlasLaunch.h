//===- BlasLaunch.h - launches that cuBLAS computes -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/space/Space.h"

#include <functional>

namespace kern::runtime {

/// Enqueues a product. `function` came from Context::intern(); `addressOf`
/// gives an operand's address.
Status launchProduct(
    const std::shared_ptr<cuda::Context> &context, CUstream stream,
    const MatrixProduct &product, const std::string *function,
    const std::function<std::byte *(const MatrixProduct::Matrix &)> &addressOf);

/// A launch that is a product of matrices, and that cuBLAS computes.
class BlasLaunch {
public:
  /// Nothing if KERN_CUBLAS does not ask for it, the function is no product, or
  /// cuBLAS does not take the call's extents or strides (MatrixProduct.h).
  static std::optional<BlasLaunch> of(const Launch &launch);

  /// As CudaSpace::launch() and prepare().
  Status run(const std::shared_ptr<cuda::Context> &context, CUstream stream,
             const Launch &launch, kern_call_report &report) const;
  LaunchTemplate prepare(cuda::Context &context, const Launch &launch) const;

private:
  explicit BlasLaunch(MatrixProduct product) : product(std::move(product)) {}
  void describe(kern_call_report &report) const;

  MatrixProduct product;
};

} // namespace kern::runtime

//===- Blas.h - products of matrices by cuBLAS ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLAS is loaded at run time, and only if KERN_CUBLAS asks for it: nothing
// needs it, and its results differ between its versions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"
#include "runtime/plan/MatrixProduct.h"

namespace kern::runtime::cuda {

struct BlasFunctions;

/// cuBLAS on one GPU.
class Blas final : public ContextResource {
public:
  /// KERN_CUBLAS: the library's file, "" for the newest that is found; nothing
  /// if it is unset, empty or `0`.
  static std::optional<std::string> asked();

  /// For Context::resource(). Loads nothing yet.
  explicit Blas(Context &context);
  ~Blas() override;

  /// Enqueues the calls of a product whose left, right and result have these
  /// addresses. Thread-safe. f32 and complex numbers of f32 are multiplied in
  /// full (no TF32), halves are summed in f32. KERN_ERROR_DEVICE if the library
  /// cannot be loaded, or reports an error. The context must be current.
  Status multiply(const std::shared_ptr<Context> &context,
                  const MatrixProduct &product,
                  const std::array<std::byte *, 3> &addresses, CUstream stream);

private:
  Status open(Context &context);

  std::mutex mutex; ///< held while the library's handle has a call's stream
  std::unique_ptr<BlasFunctions> functions;
  void *handle = nullptr;
};

} // namespace kern::runtime::cuda

//===- MatrixProduct.h - products of matrices as BLAS takes them *- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pure function from a nest that is a product of matrices, and one call of
// it, to the calls of BLAS's gemm that compute it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/NestLayout.h"

#include <array>
#include <optional>

namespace kern::runtime {

/// `result` = `left` × `right`, of matrices whose columns are contiguous, and
/// the same for further ones, at constant distances. Distances are in elements.
struct MatrixProduct {
  struct Matrix {
    unsigned operand = 0; ///< of the call
    /// The columns of memory are the rows of the matrix.
    bool isTransposed = false;
    int64_t leading = 1; ///< from column to column
    int64_t apart = 0;   ///< from this matrix to that of the next product
    bool operator==(const Matrix &) const = default;
  };
  int64_t rows = 1, columns = 1, depth = 1;
  Matrix left, right, result;
  DType element = DType::F64; ///< of left and right
  DType stored = DType::F64;  ///< of the result
  /// Calls of gemm: so many products each, from these bytes after the operands'
  /// addresses on (left, right, result).
  struct Batch {
    std::array<int64_t, 3> offsets = {};
    int64_t count = 1;
    bool operator==(const Batch &) const = default;
  };
  std::vector<Batch> batches;
  bool operator==(const MatrixProduct &) const = default;
};

/// Nothing if the nest is no product, if an extent is below 64 (gemm is made
/// for large ones), or if gemm cannot take the strides: rows or columns of each
/// matrix are contiguous, and neighbours lie at least that far apart. Of the
/// addresses in `operands` none matters.
std::optional<MatrixProduct>
matrixProduct(const Nest &nest, const NestExtents &extents,
              const Layout &layout, std::span<const KernelOperand> operands);

} // namespace kern::runtime

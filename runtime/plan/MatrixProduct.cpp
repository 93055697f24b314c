//===- MatrixProduct.cpp - products of matrices as BLAS takes them --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/MatrixProduct.h"

#include <algorithm>
#include <climits>

using namespace kern::runtime;

namespace {
/// An index of the product, or a dimension of the loop: how far it moves each
/// of left, right and result, in bytes.
struct Index {
  int64_t extent = 1;
  std::array<int64_t, 3> strides = {};
};

/// The indices of a call, by what they do.
struct Roles {
  Index row, column, depth;
  std::vector<Index> others; ///< of extent 2 and more
};
using Matrix = MatrixProduct::Matrix;
} // namespace

/// Below these extents our own kernels are faster, or as fast.
static constexpr int64_t smallest = 64;
/// Products of one call, and calls. CUDA has grids of 65535 in a dimension.
static constexpr int64_t maxProducts = 65535, maxCalls = 256;

static std::optional<Roles> indicesOf(const Nest::Product &product,
                                      const NestExtents &extents,
                                      const Layout &layout,
                                      std::span<const KernelOperand> operands) {
  std::vector<Index> all(extents.flat.size() + 1);
  for (size_t i = 0; i < extents.flat.size(); ++i)
    all[i].extent = extents.flat[i];
  all.back().extent = extents.shared;
  const Nest::Product::Term *terms[] = {&product.left, &product.right,
                                        &product.result};
  for (size_t t = 0; t < 3; ++t)
    for (size_t d = 0; d < terms[t]->indices.size(); ++d)
      all[terms[t]->indices[d]].strides[t] =
          operands[terms[t]->operand].coreStrides[d];
  auto moves = [&](size_t t, size_t index) {
    return std::ranges::find(terms[t]->indices, index) !=
           terms[t]->indices.end();
  };
  Roles out;
  const size_t ofSum = extents.flat.size();
  std::optional<size_t> row, column;
  for (size_t i = 0; i < ofSum; ++i) {
    if (!moves(2, i))
      return std::nullopt; // would store the same element again
    if (moves(0, i) != moves(1, i))
      (moves(0, i) ? row : column) = i;
  }
  if (!row || !column || !moves(0, ofSum) || !moves(1, ofSum))
    return std::nullopt;
  out.row = all[*row];
  out.column = all[*column];
  out.depth = all[ofSum];
  for (size_t i = 0; i < ofSum; ++i)
    if (i != row && i != column && all[i].extent > 1)
      out.others.push_back(all[i]);
  for (size_t d = 0; d < layout.rank(); ++d) {
    Index index{.extent = layout.extents[d]};
    for (size_t t = 0; t < 3; ++t)
      index.strides[t] = layout.strides[terms[t]->operand][d];
    out.others.push_back(index);
  }
  return out;
}

/// A matrix with a row and a column for each of two indices.
static std::optional<Matrix> matrixOf(unsigned operand, size_t size, size_t t,
                                      const Index &rows, const Index &columns) {
  const int64_t bytes = int64_t(size);
  // BLAS reads `length` neighbours in each column of memory.
  auto leading = [&](int64_t inner, int64_t outer,
                     int64_t length) -> std::optional<int64_t> {
    if (inner != bytes || outer % bytes != 0 || outer / bytes < length ||
        outer / bytes > INT_MAX)
      return std::nullopt;
    return outer / bytes;
  };
  if (auto found = leading(rows.strides[t], columns.strides[t], rows.extent))
    return Matrix{operand, false, *found};
  if (auto found = leading(columns.strides[t], rows.strides[t], columns.extent))
    return Matrix{operand, true, *found};
  return std::nullopt;
}

/// Takes the longest of the indices that gemm can follow, as Matrix::apart.
static Index takeBatch(std::vector<Index> &others,
                       const std::array<int64_t, 3> &sizes) {
  auto fits = [&](const Index &index) {
    for (size_t t = 0; t < 3; ++t)
      if (index.strides[t] < 0 || index.strides[t] % sizes[t] != 0)
        return false;
    return true;
  };
  auto best = others.end();
  for (auto at = others.begin(); at != others.end(); ++at)
    if (fits(*at) && (best == others.end() || at->extent > best->extent))
      best = at;
  Index batch;
  if (best != others.end()) {
    batch = *best;
    others.erase(best);
  }
  return batch;
}

/// A call for each combination of the other indices, and for each part of a
/// long batch; nothing if these are many.
static std::vector<MatrixProduct::Batch>
batchesOf(const Index &batch, const std::vector<Index> &others) {
  std::vector<MatrixProduct::Batch> out = {{.count = batch.extent}};
  auto repeat = [&](int64_t times, auto change) {
    std::vector<MatrixProduct::Batch> longer;
    if (saturatingProduct(times, int64_t(out.size())) > maxCalls)
      return false;
    for (const MatrixProduct::Batch &call : out)
      for (int64_t n = 0; n < times; ++n)
        longer.push_back(change(call, n));
    out = std::move(longer);
    return true;
  };
  auto moved = [](MatrixProduct::Batch call, const Index &index, int64_t by) {
    for (size_t t = 0; t < 3; ++t)
      call.offsets[t] += index.strides[t] * by;
    return call;
  };
  for (const Index &index : others)
    if (!repeat(index.extent, [&](const MatrixProduct::Batch &call, int64_t n) {
          return moved(call, index, n);
        }))
      return {};
  if (!repeat(ceilDivide(batch.extent, maxProducts),
              [&](const MatrixProduct::Batch &call, int64_t n) {
                MatrixProduct::Batch part = moved(call, batch, n * maxProducts);
                part.count =
                    std::min(batch.extent - n * maxProducts, maxProducts);
                return part;
              }))
    return {};
  return out;
}

std::optional<MatrixProduct>
kern::runtime::matrixProduct(const Nest &nest, const NestExtents &extents,
                             const Layout &layout,
                             std::span<const KernelOperand> operands) {
  if (!nest.product || layout.isEmpty || extents.items() == 0)
    return std::nullopt;
  const Nest::Product &product = *nest.product;
  std::optional<Roles> indices = indicesOf(product, extents, layout, operands);
  if (!indices)
    return std::nullopt;
  const Index &row = indices->row, &column = indices->column,
              &depth = indices->depth;
  for (const Index *index : {&row, &column, &depth})
    if (index->extent < smallest || index->extent > INT_MAX)
      return std::nullopt;
  const DType element = operands[product.left.operand].dtype,
              stored = operands[product.result.operand].dtype;
  const size_t size = itemSize(element), storedSize = itemSize(stored);
  auto left = matrixOf(product.left.operand, size, 0, row, depth);
  auto right = matrixOf(product.right.operand, size, 1, depth, column);
  auto result = matrixOf(product.result.operand, storedSize, 2, row, column);
  if (!left || !right || !result)
    return std::nullopt;
  MatrixProduct out;
  out.rows = row.extent;
  out.columns = column.extent;
  out.depth = depth.extent;
  out.element = element;
  out.stored = stored;
  const Index batch = takeBatch(
      indices->others, {int64_t(size), int64_t(size), int64_t(storedSize)});
  left->apart = batch.strides[0] / int64_t(size);
  right->apart = batch.strides[1] / int64_t(size);
  result->apart = batch.strides[2] / int64_t(storedSize);
  out.batches = batchesOf(batch, indices->others);
  if (out.batches.empty())
    return std::nullopt;
  // A result with contiguous rows is that of the transposed product.
  if (result->isTransposed) {
    std::swap(*left, *right);
    std::swap(out.rows, out.columns);
    left->isTransposed = !left->isTransposed;
    right->isTransposed = !right->isTransposed;
    result->isTransposed = false;
    for (MatrixProduct::Batch &call : out.batches)
      std::swap(call.offsets[0], call.offsets[1]);
  }
  out.left = *left;
  out.right = *right;
  out.result = *result;
  return out;
}

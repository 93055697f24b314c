//===- MatrixProduct.h - tiles of matrix units ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tiles the GPU's matrix units can compute, and how the tile's threads
// and elements are arranged.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/TileBuilder.h"

namespace kern::ir::loop {

/// Nothing unless a tile has one reduction, a sum of products whose factors are
/// elements. The product must have the flag `contract`, since the units add it
/// without rounding it first.
std::optional<MatrixProduct> matrixProductOf(const Tiling &tiling);

/// The shapes of tiles, with rising columns. They follow from the type.
std::vector<TilePlan> matrixShapes(const MatrixProduct &product);

/// The same for GPUs whose warps multiply four at a time (sm_90a), for products
/// of halves: these have the shape of the largest tile, with other threads.
std::optional<TilePlan> warpgroupShape(const MatrixProduct &product);

/// The bytes of shared memory for all stages of a tile's factors.
unsigned matrixBytesOf(const MatrixProduct &product, const TilePlan &shape);

/// Rows and columns that a unit takes together, and iterations.
inline constexpr unsigned matrixEdge = 8, matrixDepth = 16;

/// How the elements of one factor lie in shared memory: lines of `inner`
/// elements, which are usually contiguous in global memory too.
struct MatrixLayout {
  /// `length` rows or columns. If it `isTransposed`, they are neighbours in a
  /// line, else the iterations.
  MatrixLayout(mlir::Type element, unsigned length, unsigned depth,
               bool isTransposed);
  /// As warpgroups read it: in columns of 128 bytes, whose chunks of 16 bytes
  /// are exchanged by the number of the line (PTX: 128-byte swizzle). Of a left
  /// factor, groups of 8 rows lie in the order in which warps compute them.
  static MatrixLayout swizzled(mlir::Type element, unsigned length,
                               unsigned depth, bool isTransposed, bool isLeft);
  unsigned size; ///< of an element in bytes
  unsigned inner, outer;
  unsigned pitch; ///< from line to line; threads that read read other banks
  unsigned elements() const { return outer * pitch; }
  bool isTransposed;
  bool isSwizzled = false, isInterleaved = false;
  /// The place of the element `column` of a line (i32), and how far `lines`
  /// more move it, which are a multiple of 8 and, in order, of 32.
  mlir::Value place(TileBuilder &b, mlir::Value line, mlir::Value column) const;
  int64_t after(unsigned lines) const;
  /// The place of an element.
  int64_t at(int64_t free, int64_t depth) const {
    return isTransposed ? depth * pitch + free : free * pitch + depth;
  }
};

/// The elements of a factor in shared memory, in each stage, however it lies.
unsigned stageElements(mlir::Type element, unsigned length, unsigned depth);

} // namespace kern::ir::loop

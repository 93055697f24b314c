//===- MatrixLoops.h - the loop of a product of matrices --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/MatrixProduct.h"
#include "dialects/LoopMappings/TileBuilder.h"
#include "dialects/LoopMappings/TileValues.h"

namespace kern::ir::loop {

/// Emits the sum of a tile that the GPU's units for matrices compute. It adds
/// iterations up in the same order whatever the strides. Pieces of iterations
/// come through shared memory, two ahead of the one that is computed.
class MatrixLoops {
public:
  using Value = mlir::Value;

  MatrixLoops(TileBuilder &b, const Tiling &tiling, const TilePlan &shape,
              const TilePlace &place, TileValues &values)
      : b(b), tiling(tiling), shape(shape), place(place), values(values) {}

  /// Sets the results of the one reduction for each item of the thread.
  void reduce();

private:
  using Values = llvm::SmallVector<Value>;
  /// One of the two arrays. One record, since fetching and reading use all of
  /// it.
  struct Factor {
    mlir::TypedValue<ArrayType> source;
    mlir::Type element;
    bool isLeft = false;
    unsigned length = 0; ///< rows or columns of a tile
    Value count;         ///< i32: those that are iterations
    unsigned freeDimension = 0, depthDimension = 0; ///< of the array
    Values indices = {}; ///< of the tile's first element
    Value offset;        ///< likewise in bytes
    Value freeStride, depthStride;
    Value isTurned;                   ///< i1: as lines lie in memory
    std::array<Value, 2> isWide = {}; ///< i1: lines, turned or not, have chunks
    Value array;                      ///< in shared memory
    unsigned stage = 0;               ///< elements from stage to stage
  };
  /// How a loop reads a factor.
  struct Reading {
    const Factor &factor;
    MatrixLayout layout;
    Value lane; ///< i64: the place of this lane's first element in a stage
  };

  Factor factorOf(const TileAccess &access, bool isLeft, unsigned sharedAt);
  Reading readingOf(const Factor &factor, bool isTurned);
  Values emitLoop(const Reading &left, const Reading &right, Value trips,
                  llvm::ArrayRef<Value> none);
  Values multiplyPiece(const Reading &left, const Reading &right, Value stage,
                       Values sums);
  /// What this lane has of 16 rows, and of all columns.
  Values leftPart(const Reading &left, Value base, unsigned step,
                  unsigned rows);
  Values rightPart(const Reading &right, Value base, unsigned step);
  bool isHalf() const { return !tiling.product->element.isF64(); }

  /// Fetches `left` (i64, more than 0) iterations from number `first` on, or
  /// `depth`, to a stage; zeros in place of what is not there.
  void fetch(const Reading &reading, Value first, Value left, Value stage);
  void fetchParts(const Reading &reading, Value first, Value depth, Value base);
  void fetchEach(const Reading &reading, Value first, Value depth, Value base);

  TileBuilder &b;
  const Tiling &tiling;
  const TilePlan &shape;
  const TilePlace &place;
  TileValues &values;
};

} // namespace kern::ir::loop

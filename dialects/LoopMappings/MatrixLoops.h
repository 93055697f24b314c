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

#include <functional>

namespace kern::ir::loop {

/// Emits the sum of a tile that the GPU's matrix units compute. It adds
/// iterations in the same order whatever the strides. Pieces of iterations come
/// through shared memory, two ahead of the one that is computed.
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
    Value isTransposed; ///< i1: as lines lie in memory
    std::array<Value, 2> isWide =
        {};             ///< i1: lines, transposed or not, have chunks
    Value array;        ///< in shared memory
    unsigned stage = 0; ///< elements from stage to stage
  };
  /// How a loop reads a factor.
  struct Reading {
    const Factor &factor;
    MatrixLayout layout;
    Value lane; ///< i64: the place of this lane's first element in a stage
  };

  Factor factorOf(const TileAccess &access, bool isLeft, unsigned sharedAt);
  Reading readingOf(const Factor &factor, bool isTransposed);
  Values emitLoop(const Reading &left, const Reading &right, Value trips,
                  llvm::ArrayRef<Value> none);
  /// `meanwhile` emits a part of the work to do at the same time; false if none
  /// is left.
  Values multiplyPart(const Reading &left, const Reading &right, Value stage,
                      Values sums, const std::function<bool()> &meanwhile);
  /// The same by warpgroups, which read the factors themselves.
  Values multiplyTogether(const Reading &left, const Reading &right,
                          Value stage, llvm::ArrayRef<Value> sums,
                          const std::function<bool()> &meanwhile);
  /// This lane's elements of 16 rows, and of all columns.
  Values leftPart(const Reading &left, Value base, unsigned step,
                  unsigned rows);
  Values rightPart(const Reading &right, Value base, unsigned step);
  bool isHalf() const { return !tiling.product->element.isF64(); }

  /// A part of a factor that goes to a stage: `depth` (i32) iterations from
  /// number `first` on, which may be none. Elements that do not exist are zero.
  struct FetchPart {
    const Reading &reading;
    Value first, depth, base;
    unsigned line = 0; ///< the next one of fetchPart()
    Value source = {}, target = {}, lineOf = {}, there = {}, nothing = {};
  };
  FetchPart partOf(const Reading &reading, Value first, Value left,
                   Value stage);
  /// Fetches 16 bytes a thread, if lines have such chunks; false after the
  /// last ones.
  bool fetchPart(FetchPart &part);
  /// Fetches all elements one by one, if lines have no chunks.
  void fetchOthers(const FetchPart &part);
  void fetchEach(const FetchPart &part);

  TileBuilder &b;
  const Tiling &tiling;
  const TilePlan &shape;
  const TilePlace &place;
  TileValues &values;
};

} // namespace kern::ir::loop

//===- Tiling.h - which loops can be computed in tiles ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reductions of a flat kernel whose elements serve many items: a tile of
// items reads them once, through shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"

#include <array>

namespace kern::ir::loop {

/// The indices on which a value in a tile depends, as bits.
enum TileIndex : unsigned {
  rowIndex = 1,    ///< the last flat index but one, if tiles have rows
  columnIndex = 2, ///< the last flat index
  outerIndex = 4,  ///< of a reduction around another one
  innerIndex = 8,  ///< of the reduction that reads tiles
};

/// How a tile is shared out. A thread computes `rowsEach` times `columnsEach`
/// results, in runs of `rowRun` and `columnRun` neighbours. The runs of all
/// threads lie side by side. One record, since it is one row of a table.
struct TilePlan {
  unsigned rowThreads = 1, columnThreads = 1;
  unsigned rowsEach = 1, columnsEach = 1;
  unsigned rowRun = 1, columnRun = 1;
  unsigned depth = 1;    ///< iterations of the reduction in shared memory
  unsigned unroll = 1;   ///< iterations in one piece of code; divides `depth`
  bool isDouble = false; ///< the next iterations are fetched meanwhile
  /// Of a product of matrices by the GPU's units for them: how many parts of
  /// `depth` iterations are in shared memory.
  unsigned stages = 0;
  bool usesMatrixUnits() const { return stages > 0; }
  /// Four warps multiply together, and read both factors from shared memory.
  bool byWarpgroups = false;
  /// The threads of a warp lie on 8 x 4 runs of results; if the tile has room.
  static constexpr unsigned rowLanes = 8, columnLanes = 4;
  bool hasWarps() const {
    return rowThreads % rowLanes == 0 && columnThreads % columnLanes == 0;
  }
  unsigned rowWarps() const { return rowThreads / rowLanes; }
  unsigned columnWarps() const { return columnThreads / columnLanes; }
  unsigned rows() const { return rowThreads * rowsEach; }
  unsigned columns() const { return columnThreads * columnsEach; }
  unsigned threads() const { return rowThreads * columnThreads; }
  /// The groups of threads in a block, each with a tile of its own.
  unsigned groups() const;
};

/// A load in a reduction that reads a part of its array for a tile.
struct TileAccess {
  LoadOp load;
  mlir::Type element;
  /// A core dimension that moves with the tile's indices, and how far with
  /// each: row, column, iteration.
  struct Dimension {
    unsigned number = 0;
    std::array<int64_t, 3> steps = {};
    /// The elements that a tile reads, and which of them is that of the indices
    /// 0: not the first one where steps are negative.
    unsigned extent(const TilePlan &shape) const;
    unsigned origin(const TilePlan &shape) const;
  };
  /// At most two. The last one is the innermost in shared memory, as it is in
  /// arrays that are contiguous.
  llvm::SmallVector<Dimension, 2> dimensions;
  bool slides(unsigned index) const; ///< along it, over iterations
};

/// Where the elements of an access lie in shared memory.
struct TileLayout {
  TileLayout(const TileAccess &access, const TilePlan &shape);
  unsigned size;      ///< of an element in bytes
  unsigned whole;     ///< elements of 16 bytes
  unsigned vector;    ///< elements of one access to shared memory
  unsigned pitch = 0; ///< from one element of the first of two dimensions
  /// Elements after which 16 bytes are left free, so that the runs of
  /// neighbouring threads lie in different banks; 0: never.
  unsigned run = 0;
  unsigned gap = 0;      ///< the elements of that room
  unsigned elements = 0; ///< with all gaps
  /// Where a place lies if gaps are counted.
  int64_t withGaps(int64_t place) const {
    int64_t runs = run ? place / run : 0;
    return place + runs * gap;
  }
  /// How far each index moves the place; for a thread's runs, and for `unroll`
  /// iterations. Without gaps.
  std::array<int64_t, 3> steps = {};
  int64_t origin = 0;
};

/// A sum of products that matrix units can compute: of an element for
/// each row and one for each column, both halves or f64, which may be added
/// without being rounded.
struct MatrixProduct {
  unsigned left = 0, right = 0; ///< of Tiling::accesses: of rows, of columns
  mlir::Type element;
};

/// A kernel that can be computed in tiles.
struct Tiling {
  bool hasRows = false;
  /// The top-level reductions, in order.
  llvm::SmallVector<ReduceOp> reductions;
  llvm::SmallVector<TileAccess> accesses;
  std::optional<MatrixProduct> product;
  std::vector<TilePlan> shapes; ///< with rising columns
  /// On which indices each value depends.
  llvm::DenseMap<mlir::Value, unsigned> depends;
  unsigned dependenceOf(mlir::Value value) const {
    return depends.lookup(value);
  }
};

/// Nothing for a kernel that is not flat or has no reductions; an obstacle
/// where these read an element for one item alone, or as data says.
Found<Tiling> tilingOf(KernelOp flattened);

/// The accesses as tiles of a shape want them in shared memory. In large tiles
/// the rows or columns of an iteration are neighbours, so that a thread reads
/// several of one iteration at once and needs few registers for them.
Tiling arrangedFor(Tiling tiling, const TilePlan &shape);

/// The innermost reduction: `reduce` or the one inside.
ReduceOp innermostOf(ReduceOp reduce);

/// The bytes of shared memory that a group's tile takes.
unsigned sharedBytesOf(const Tiling &tiling, const TilePlan &shape);

//===--- Tile.cpp -------------------------------------------------------===//
/// Makes the threads of a group compute the items of a tile together: the last
/// flat indices of the kernel then number tiles. Each thread has several
/// results in registers. The elements that the reductions read come through
/// shared memory. Then what follows them runs for each item.
void tile(KernelOp flattened, const Tiling &tiling, const TilePlan &shape);

} // namespace kern::ir::loop

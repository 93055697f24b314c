//===- TileLoops.h - the reductions of a tile -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/TileBuilder.h"
#include "dialects/LoopMappings/TileValues.h"
#include "dialects/LoopToLLVM/Carried.h"

namespace kern::ir::loop {

/// Emits the loops of reductions over a tile's items. Each item adds its values
/// in the order of the iterations, so that its result equals that of a single
/// lane.
class TileLoops {
public:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;

  TileLoops(TileBuilder &b, const Tiling &tiling, const TilePlan &shape,
            const TilePlace &place, TileValues &values)
      : b(b), tiling(tiling), shape(shape), place(place), values(values) {}

  /// Emits a reduction, and sets its results for each item of the thread.
  void reduce(ReduceOp op);
  /// An element of a tile, of the present iteration.
  Value read(LoadOp load, TileValues::Item item);

private:
  using Item = TileValues::Item;
  /// What a thread fetches of an access, and where it reads from. One record,
  /// since fetching uses all of these values in every iteration.
  struct Staged {
    Staged(const TileAccess &access, const TilePlan &shape)
        : access(&access), load(access.load), layout(access, shape),
          source(load.getArray()) {}
    const TileAccess *access;
    LoadOp load;
    TileLayout layout;
    mlir::TypedValue<ArrayType> source; ///< in global memory
    Value array;                        ///< in shared memory
    Value advance; ///< bytes from one piece of `depth` iterations to the next
    Value sourceStep; ///< bytes from one of the thread's elements to the next
    Value targetStep; ///< and in shared memory
    Value target;     ///< of the thread's first element
    /// i32: the first element's place in each dimension, and the steps.
    llvm::SmallVector<Value, 2> at, steps;
    /// The steps as constants, of lanes along the last dimension and, if the
    /// access has them, of lanes along the first one.
    std::array<unsigned, 2> by = {1, 1};
    Value isTransposed; ///< lanes go along the first dimension; null: never
    /// The number of elements a thread fetches, if it is the same for all; else
    /// 0.
    unsigned ofThread = 0;
    Value start; ///< bytes to the box's first element
    Value lanes; ///< and to the thread's
    Value rowStride;
    Value isAligned; ///< i1: accesses can be of several elements
    /// i1: neighbours are contiguous, in a box of one dimension; null: unknown.
    Value isDense;
    /// i1: and whole accesses fetch their chunks, though the box has a part of
    /// one; null if it has none.
    Value hasChunks;
    /// Of two dimensions: the elements in each row, which lie `width` elements
    /// apart, `acrossStep` bytes.
    unsigned across = 1, width = 0;
    Value acrossStep;
    Value base; ///< of the elements that the thread reads now
  };

  template <typename Each> void forItems(Each each) {
    for (unsigned row = 0; row < shape.rowsEach; ++row)
      for (unsigned column = 0; column < shape.columnsEach; ++column)
        each(Item{row, column});
  }
  llvm::SmallVector<Value> listOf(llvm::ArrayRef<Carried> sums);
  llvm::SmallVector<Carried> carriedFrom(ReduceOp op, ValueRange list);
  llvm::SmallVector<Carried> emit(ReduceOp op);
  llvm::SmallVector<Carried> emitOuter(ReduceOp op, Value trips,
                                       llvm::ArrayRef<Carried> initial);
  llvm::SmallVector<Carried> emitInner(ReduceOp op, Value trips,
                                       llvm::ArrayRef<Carried> initial);
  void setResults(ReduceOp op, llvm::ArrayRef<Carried> sums);
  /// Adds one iteration of all items.
  void addIteration(ReduceOp op, Value k, llvm::SmallVector<Carried> &sums);
  std::pair<Staged, Value> stage(const TileAccess &access, unsigned sharedAt);
  void arrangeLanes(Staged &staged, llvm::ArrayRef<Value> strides);
  void findAlignment(Staged &staged, Value offset,
                     llvm::ArrayRef<Value> strides);
  void fetch(const Staged &staged, Value left, Value parity, Value offset);
  void fetchVectors(const Staged &staged, Value parity, Value offset);
  void fetchWhole(const Staged &staged, Value parity, Value offset);
  void fetchDense(const Staged &staged, Value parity, Value offset, Value first,
                  Value count);
  void fetchChunks(const Staged &staged, Value parity, Value offset,
                   Value first, Value count);
  void fetchEach(const Staged &staged, Value parity, Value offset,
                 llvm::ArrayRef<Value> first, llvm::ArrayRef<Value> count);
  /// A chunk of a block of iterations, and where the block before has it.
  struct Kept {
    const Staged *from;
    int64_t first, before;
  };
  llvm::SmallVector<Kept> keptChunks();
  int64_t placeOf(const Staged &from, Item item, unsigned inBlock) const;
  llvm::SmallVector<Value> &chunkAt(const Staged &from, int64_t first);
  void setBases(Value parity, Value blockNumber);
  void readAhead();

  TileBuilder &b;
  const Tiling &tiling;
  const TilePlan &shape;
  const TilePlace &place;
  TileValues &values;
  std::vector<Staged> staged; ///< of the innermost reduction
  unsigned iteration = 0;     ///< among `unroll`
  /// What has been read from shared memory.
  std::map<std::pair<const TileAccess *, int64_t>, llvm::SmallVector<Value>>
      loaded;
};

} // namespace kern::ir::loop

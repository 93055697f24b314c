//===- Launches.h - which launch a loop runs in -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopMappings/Obstacle.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kern::ir::loop {

/// The arrays that an operation, with its regions, reads and writes.
struct Touched {
  llvm::SmallPtrSet<mlir::Value, 4> read, written;

  Touched() = default;
  explicit Touched(mlir::Operation *site) { add(site); }
  void add(mlir::Operation *site);
  bool contains(mlir::Value array) const {
    return read.contains(array) || written.contains(array);
  }
  bool conflictsWith(const Touched &earlier) const;
};

/// The number of launches that a loop takes. A scan stores its results only
/// after the preceding slices are combined.
unsigned turnsOf(mlir::Operation *loop);

/// Stores beside the loops that write arrays which loops touch too. Nothing
/// between them, if they are several, needs that any of them has happened, so
/// all of them can happen at the place of the last one.
struct PlacedStores {
  llvm::SmallVector<StoreOp> stores;
  unsigned launch = 0;
};

/// The first launch of each loop of a kernel whose loops are cut into slices.
class Launches {
public:
  /// With `recentres`, sums of squares wait for no mean (Recentre.h).
  explicit Launches(KernelOp kernel, bool recentres = false)
      : recentres(recentres) {
    count = find(kernel);
  }

  Found<unsigned> count; ///< of launches, if the loops can be cut
  /// No slice reads what another one writes: only results of reductions make
  /// loops wait for one another.
  bool areSeparate = true;
  /// A local array that is zeroed counts as the loop that does this.
  llvm::SmallMapVector<mlir::Operation *, unsigned, 4> ofLoop;
  llvm::SmallVector<PlacedStores, 0> placed;
  /// The sums of squares that run with the sum of the same values, and those.
  llvm::SmallDenseMap<mlir::Operation *, ReduceOp> recentred;

private:
  /// What one launch touches, and the first launch that sees all of it.
  struct Earlier {
    Touched touched;
    unsigned end;
  };
  /// `launch`, or the first one after all that `mine` waits for.
  unsigned afterConflicts(const Touched &mine, unsigned launch);
  void placeStores(llvm::ArrayRef<StoreOp> stores);
  /// The first launch in which all results that `op` uses, with its regions,
  /// are known.
  unsigned after(mlir::Operation *op);
  /// Whether an operation outside the loops may run in every launch.
  bool mayRepeat(mlir::Operation &op, const Touched &kernel);
  Found<unsigned> find(KernelOp kernel);

  /// The sum with which `squares` runs, if that is before launch `launch`.
  ReduceOp earlierSum(ReduceOp squares, unsigned launch);

  bool recentres;
  llvm::DenseMap<mlir::Value, unsigned> known; ///< from which launch on
  llvm::SmallVector<Earlier> earlier;
  unsigned last = 0; ///< launch
};

} // namespace kern::ir::loop

//===- RaceChecks.h - checks that iterations keep apart ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "dialects/Loop/Loop.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace kern {

/// Checks, while the iterations of pranges run one after the other, that none
/// touches an element that another one of them writes.
///
/// Iterations have numbers that only grow, one count for each depth of nesting.
/// For each element there is the first read, store and accumulation of it in
/// the prange that runs: the iteration's number and that of the place. Since
/// iterations come in order, the first tells of all: if it is of the present
/// iteration, so are the others. What is less than the number with which the
/// prange began is of an earlier one.
class RaceChecks {
public:
  RaceChecks(FuncOp source, loop::KernelOp kernel, mlir::OpBuilder &builder);

  /// At the beginning of the kernel, where the builder is: memory for the
  /// arrays that it is given.
  void begin();
  /// After a local array is made, where the builder is.
  void addLocal(LocalOp local, loop::LocalOp made);
  /// Before the prange, and at the beginning of its body.
  void enter(ParallelOp parallel, loop::ParallelOp made);
  void beginIteration();
  void leave() { active.pop_back(); }
  /// Before a load, store or accumulation of `array`, an operation of the
  /// source, at these indices.
  void check(mlir::Operation *access, mlir::Value array,
             mlir::ValueRange indices);

private:
  enum Use : unsigned { Read = 1, Write = 2, Add = 4 };
  static constexpr Use uses[] = {Read, Write, Add};
  static Use useOf(mlir::Operation *access);

  /// What is known of the elements of an array, at one depth of nesting.
  struct Shadow {
    llvm::SmallVector<mlir::Value> extents;
    mlir::Value count; ///< of elements; the last one of each array is nobody's
    llvm::SmallDenseMap<unsigned, mlir::Value> first; ///< for each use
  };
  using Key = std::pair<mlir::Value, unsigned>; ///< array, depth

  /// A prange that is being lowered.
  struct Active {
    ParallelOp source;
    loop::ParallelOp made;
    unsigned depth;
    mlir::Value begin; ///< the number of its first iteration
    mlir::Value now;   ///< that of the present one
  };

  void findUses();
  void makeShadows(mlir::Value array, llvm::ArrayRef<mlir::Value> extents,
                   llvm::function_ref<mlir::ArrayAttr()> bytes);
  void checkAt(Active loop, mlir::Operation *access, mlir::Value array,
               mlir::ValueRange indices);
  llvm::SmallVector<mlir::Value> iterationOf(Active loop, mlir::Value entry);
  mlir::Value number(int64_t value);
  std::string nameOf(mlir::Value array);

  FuncOp source;
  loop::KernelOp kernel;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Pranges and the arrays that they have to look at: those that they write to
  /// otherwise than by sums alone.
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Value>> needs;
  llvm::DenseSet<mlir::Operation *> watched; ///< with any such array
  llvm::MapVector<Key, unsigned> kept; ///< uses, over all pranges of a depth
  unsigned depths = 0;
  llvm::DenseMap<Key, Shadow> shadows;
  mlir::Value counts; ///< the last number given, for each depth
  llvm::SmallVector<Active> active;
};

} // namespace kern

//===- RaceChecks.h - checks that iterations are independent ----*- C++ -*-===//
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

namespace kern::ir {

/// Checks that no iteration of a prange accesses an element that another one
/// writes. Iterations run in order.
///
/// Each depth of nesting numbers its iterations with a growing count. Each
/// element has an entry for its first read, store and accumulation in the
/// current prange: the number of the iteration and that of the access. The
/// first access is enough: if it belongs to the current iteration, so do all
/// later ones. An entry below the prange's first number is from an earlier
/// prange. One class, since every check needs the arrays and pranges of its
/// kernel, which are the members.
class RaceChecks {
public:
  RaceChecks(FuncOp source, loop::KernelOp kernel, mlir::OpBuilder &builder);

  /// Makes the memory for the kernel's array operands. The builder is at the
  /// beginning of the kernel.
  void begin();
  /// Makes the memory for a local array. The builder is after that array.
  void addLocal(LocalOp local, loop::LocalOp made);
  /// enter() emits code before the prange, beginIteration() at the beginning of
  /// its body.
  void enter(ParallelOp parallel, loop::ParallelOp made);
  void beginIteration();
  void leave() { active.pop_back(); }
  /// Checks a load, store or accumulation of `array` at these indices. Call it
  /// before the access is emitted. `access` is the operation in the source.
  void check(mlir::Operation *access, mlir::Value array,
             mlir::ValueRange indices);

private:
  enum Use : unsigned { Read = 1, Write = 2, Add = 4 };
  static constexpr Use uses[] = {Read, Write, Add};
  static Use useOf(mlir::Operation *access);

  /// The entries of an array's elements, at one depth of nesting.
  struct Shadow {
    llvm::SmallVector<mlir::Value> extents;
    mlir::Value count; ///< of elements; a dummy entry follows the last one
    llvm::SmallDenseMap<unsigned, mlir::Value> first; ///< entries, by use
  };
  using Key = std::pair<mlir::Value, unsigned>; ///< array, depth

  /// A prange that is being lowered.
  struct Active {
    ParallelOp source;
    loop::ParallelOp made;
    unsigned depth;
    mlir::Value begin; ///< the number of its first iteration
    mlir::Value now;   ///< the number of the current iteration
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
  /// The arrays that each prange checks: those that it stores to, or both reads
  /// and accumulates into.
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Value>> needs;
  llvm::DenseSet<mlir::Operation *> watched; ///< pranges with such an array
  llvm::MapVector<Key, unsigned> kept;       ///< uses in all pranges of a depth
  unsigned depths = 0;
  llvm::DenseMap<Key, Shadow> shadows;
  mlir::Value counts; ///< the last number given, for each depth
  llvm::SmallVector<Active> active;
};

} // namespace kern::ir

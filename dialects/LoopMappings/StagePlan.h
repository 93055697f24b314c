//===- StagePlan.h - what a staged kernel stages ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/OrderedLoop.h"
#include "dialects/LoopToLLVM/Extents.h"

namespace kern::ir::loop {

/// An array, or what a loop takes from it, and its tile.
struct Staging {
  mlir::Value array;
  unsigned operand;
  unsigned dimension; ///< which the loop goes along; or the last one
  llvm::SmallVector<DimTokens> extents; ///< of the tile
  bool isRead = false, isWritten = false;
  llvm::SmallVector<mlir::Operation *> uses;
  /// The index in StagePlan::arrays of the array whose tile it reuses: for a
  /// result that of an input, if threads compute on copies; for what a loop
  /// takes that of an earlier loop.
  std::optional<size_t> placeOf;
  unsigned loop = 0; ///< which of StagePlan::loops takes it
};

/// How a kernel is staged.
struct StagePlan {
  /// In order; none: arrays are staged whole.
  llvm::SmallVector<OrderedLoop, 1> loops;
  llvm::SmallVector<Staging, 4> arrays;
  llvm::SmallVector<LocalOp> locals; ///< too large for a thread's own memory
  /// Of loops: how many iterations are staged together, and for how many such
  /// strips what is read has room; powers of two.
  int64_t strip = 32, strips = 2;
  /// All extents are small constants: each thread computes on copies of its
  /// arrays, which LLVM keeps in registers.
  bool hasCopies = false;
};

/// That of a kernel which begins with loops in order, if what iterations read
/// and write one after the other can be staged. The strips of a spread kernel
/// (runtime::Mapping) are longer, as its warps have fewer loop elements.
Found<StagePlan> stripPlanOf(KernelOp kernel, bool isSpread = false);

/// Whether there are loops in order beside the pranges of a kernel, not around
/// them, and nothing that combines what lanes find: one thread can run all.
bool hasOrderedLoops(KernelOp kernel);

/// Lets the pranges beside loops in order be loops in order, too, for a plan.
void orderPranges(KernelOp kernel);

/// An obstacle for a kernel that begins with a loop in order and cannot be
/// staged.
Found<StagePlan> stagePlanOf(KernelOp kernel, bool isSpread = false);

/// The bytes from one thread's array in shared memory to the next one's, as an
/// expression of dimensions. As BodyLowering gives them: an odd number of
/// words, or of accesses if the array is chunked (Chunk.h).
DimTokens pitchOf(mlir::Value array, llvm::ArrayRef<DimTokens> extents,
                  bool isChunked = false);

/// The number of elements, if it is a constant.
std::optional<uint64_t> constantCount(llvm::ArrayRef<DimTokens> extents);

//===--- WholeByRunning.cpp -----------------------------------------------===//
/// Whether a kernel surely writes every element of each array of the list. Runs
/// what follows from constants (loops, indices, branches) and counts the
/// elements. Where a branch follows from data, what its ways write does not
/// count. Without constant extents, and where that would take long, the answer
/// is no.
std::vector<bool> areWrittenWhole(KernelOp kernel,
                                  llvm::ArrayRef<Staging> arrays);

//===--- WholeByLoops.cpp -------------------------------------------------===//
/// The results, by the numbers of their operands (Nest::Access), of which a
/// kernel surely writes every element before it reads any: the first loops that
/// touch them run over all of their core dimensions, and store in each
/// iteration.
std::vector<unsigned> wholeResults(KernelOp kernel);

} // namespace kern::ir::loop

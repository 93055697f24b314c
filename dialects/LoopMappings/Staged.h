//===- Staged.h - elements through shared memory -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Extents.h"

namespace kern::ir::loop {

/// An array that each thread of a staged kernel has in shared memory.
struct StagedArray {
  /// The operand; nothing for a local array.
  std::optional<unsigned> operand;
  unsigned dimension = 0; ///< the core dimension that neighbouring lanes follow
  /// The bytes from one thread's to the next one's, as an expression of
  /// dimensions.
  DimTokens bytes;
  /// It shares another one's memory if all extents are constants.
  bool isInPlace = false;
  /// In a spread kernel, the bytes from one loop element's to the next one's; 0
  /// if there is no such kernel, and for local arrays.
  unsigned spreadBytes = 0;
};

/// The arrays of a gufunc's staged mapping; none if it has no such mapping.
///
/// If the gufunc is a loop in order, the elements that iterations read and
/// write one after the other are staged, a few iterations at a time. Otherwise
/// all arrays are, whole.
llvm::SmallVector<StagedArray> stagedArrays(KernelOp kernel);

/// Makes the staged kernel, if there are such arrays: a thread for each loop
/// element, whose arrays are in shared memory. That of a loop in order can be
/// spread (runtime::Mapping::spread).
void stage(KernelOp kernel, bool isSpread = false);

} // namespace kern::ir::loop

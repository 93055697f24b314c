//===- Offsets.h - from an index to byte offsets ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel divides an index by extents that are constant in a launch. The host
// computes a multiplier and a shift for each (runtime/plan/Words.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToGPU/Operands.h"

namespace kern::ir::loop {

/// A divisor from 1 to 2^31 - 1. All values are i32.
struct Divisor {
  mlir::Value number, multiplier, shift;
};

/// Reads a divisor from two words of a kernel's arguments: the number itself,
/// and the multiplier and shift in the low and high half of one word.
Divisor readDivisor(KernelBuilder &b, mlir::Value number, mlir::Value word);

/// `dividend / divisor` for an i32 below 2^31.
mlir::Value quotient(KernelBuilder &b, mlir::Value dividend,
                     const Divisor &divisor);

/// What is left of `index`, an i64 below `count`, and then its digits, if those
/// of `extents` follow one another, the last one fastest. `divisors` has the
/// word of each extent (readDivisor), which counts while `count` is below 2^31,
/// or is empty.
llvm::SmallVector<mlir::Value> digitsOf(KernelBuilder &b, mlir::Value index,
                                        mlir::Value count,
                                        llvm::ArrayRef<mlir::Value> extents,
                                        llvm::ArrayRef<mlir::Value> divisors);

/// The loop dimensions from `first` outwards as one index, in which `first`
/// varies fastest. All values are i32.
struct IndexSpace {
  mlir::Value rank; ///< the number of dimensions that are not 1
  unsigned first = 0;
  /// The extents of the dimensions from `first` to the last but one.
  llvm::SmallVector<Divisor> divisors;
};

/// Reads an index space from a kernel's words. The first `loopRank` of
/// `extents` are the extents.
IndexSpace readIndexSpace(KernelBuilder &b, unsigned first, mlir::Value rank,
                          llvm::ArrayRef<mlir::Value> extents,
                          llvm::ArrayRef<mlir::Value> divisors);

/// For each operand, its byte offset (i32) at each of `indices` (i32). Uniform
/// branches skip the dimensions that do not exist.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
offsetsOf(KernelBuilder &b, const IndexSpace &space,
          llvm::ArrayRef<mlir::Value> indices,
          llvm::ArrayRef<EntryOperand> operands);

} // namespace kern::ir::loop

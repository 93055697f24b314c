//===- Offsets.h - from an index to byte offsets ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToGPU/Divisor.h"
#include "dialects/LoopToGPU/Operands.h"

namespace kern::ir::loop {

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

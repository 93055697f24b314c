//===- Counting.h - counters of loops ------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"

namespace kern::compiler {

/// The value of an integer constant, or of an index value of one, if i64 holds
/// it.
std::optional<int64_t> knownInteger(mlir::Value value);

/// The largest value of an index over constants, which one of the iterations
/// has: of the counter of a range whose ends are constants, of an element of a
/// table that such a counter goes through, or of one of these and constants
/// that are added and subtracted. Nothing for any other, and if there is no
/// iteration.
std::optional<int64_t> largestIndex(mlir::Value value);

/// The range of an index that a loop steps: [lower, upper), or (upper, lower]
/// for a negative step. `upper` is null if unknown.
struct Counting {
  mlir::Value lower, upper;
  int64_t step;
};
using Counters = llvm::DenseMap<mlir::Value, Counting>;

/// The range of a value that each iteration steps by a constant; nothing for
/// any other. `next` is its value in the jump `back` to the loop's header.
std::optional<Counting> countingOf(ir::AccumulatorOp accumulator,
                                   mlir::Value next, mlir::Operation *back);

} // namespace kern::compiler

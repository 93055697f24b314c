//===- Counting.h - what loops in blocks count ------------------ -*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"

namespace kern {

/// The integer that a constant, or an index value of one, is.
std::optional<int64_t> knownInteger(mlir::Value value);

/// Of an index that a loop steps: it lies in [lower, upper), with a step below
/// 0 in (upper, lower]. `upper` is null where nothing is known of it.
struct Counting {
  mlir::Value lower, upper;
  int64_t step;
};
using Counters = llvm::DenseMap<mlir::Value, Counting>;

/// Of a value that each turn of a loop steps by a constant; nothing for any
/// other. `next` is what the jump `back` to the loop's header brings for it.
std::optional<Counting> countingOf(AccumulatorOp accumulator, mlir::Value next,
                                   mlir::Operation *back);

} // namespace kern

//===- Shards.h - how an axis is dealt over GPUs ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"
#include "runtime/error/Expected.h"

#include <span>
#include <string>

namespace kern::runtime {

/// Where each of `count` parts of an axis begins, in order, and its end: parts
/// of equal extent, the first ones with one more where that does not divide.
Extents deal(int64_t extent, size_t count);

/// An array operand of a call over parts, as far as its loop dimensions go.
struct ShardedOperand {
  std::string label; ///< "argument 1 (`x`)"
  Extents shape;     ///< of the whole array
  size_t coreRank = 0;
  bool isDealt = false; ///< else all of it is on each GPU, or goes there
  bool isWritten = false;
};

/// Whether the parts of these operands can be combined GPU by GPU: at least one
/// is dealt, axis 0 of those that are is the first dimension of the loop, of
/// one extent, and what is whole broadcasts along it and is only read.
/// KERN_ERROR_ARGUMENT, or
/// KERN_ERROR_SHAPE for extents that differ, naming the operands.
Status checkShards(std::span<const ShardedOperand> operands);

} // namespace kern::runtime

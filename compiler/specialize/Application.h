//===- Application.h - what calls and reductions take -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loop a call takes and what a reduction gives: one rule, used when types
// are inferred and again when typed code is made.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "dialects/Kern/ScalarApplication.h"

namespace kern {

/// The loop that an inlined call takes (chooseLoop).
struct LoopEntry {
  /// Of each result of the operation. A generic parameter has the type of its
  /// argument.
  llvm::SmallVector<ValueType> results;
};
/// `operands` has the type of each operand.
std::optional<LoopEntry> enterLoop(EnterOp enter,
                                   llvm::ArrayRef<ValueType> operands);
/// Why there is none: the loops, the argument in the way, and the fix.
std::string describeRefusal(EnterOp enter, llvm::ArrayRef<ValueType> operands);

/// The type of what a reduction gives for elements of type `element`.
std::optional<ValueType> reductionType(ReduceKind kind, ValueType element);
/// The type in which it accumulates: half floats in f32, rounded once.
std::optional<ValueType> accumulatorType(ReduceKind kind, ValueType element);

/// The type of a result of an inlined function that gives `value` for these
/// arguments: weak where all of them are. A u64 stays one: nothing weak holds
/// its values.
ValueType leavingType(ValueType value, llvm::ArrayRef<ValueType> arguments);

} // namespace kern

//===- Application.h - the types of calls and reductions --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loop a call takes and what type a reduction gives. Type inference and
// the cloning of typed code share these rules.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "dialects/Kern/ScalarApplication.h"

namespace kern::compiler {

/// The loop that an inlined call takes (chooseLoop).
struct LoopEntry {
  /// The type of each result of the operation. A generic parameter has the type
  /// of its argument.
  llvm::SmallVector<ir::ValueType> results;
};
/// `operands` holds the type of each operand.
std::optional<LoopEntry> enterLoop(ir::EnterOp enter,
                                   llvm::ArrayRef<ir::ValueType> operands);
/// Why no loop matches: the loops, the argument in the way, and the fix.
std::string describeRefusal(ir::EnterOp enter,
                            llvm::ArrayRef<ir::ValueType> operands);

/// The result type of a reduction over elements of type `element`.
std::optional<ir::ValueType> reductionType(ir::ReduceKind kind,
                                           ir::ValueType element);
/// The type of its accumulator: half floats accumulate in f32 and are rounded
/// once.
std::optional<ir::ValueType> accumulatorType(ir::ReduceKind kind,
                                             ir::ValueType element);

/// The type of an inlined function's result `value` for these arguments: weak
/// if all of them are. A u64 stays u64, because no weak type holds its values.
ir::ValueType leavingType(ir::ValueType value,
                          llvm::ArrayRef<ir::ValueType> arguments);

} // namespace kern::compiler

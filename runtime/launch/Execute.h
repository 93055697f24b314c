//===- Execute.h - runs a call whose loop and shapes are known --*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Arguments.h"
#include "runtime/launch/CallPlan.h"
#include "runtime/plan/Axes.h"
#include "runtime/plan/Broadcast.h"
#include "runtime/space/Space.h"
#include "runtime/transfer/Array.h"

namespace kern {

/// A call after resolution and the binding of its shapes.
struct BoundCall {
  const FunctionInfo *function = nullptr;
  std::shared_ptr<Loop> loop;
  std::span<const Argument> arguments;
  /// The `out` array for each result, if one was given.
  std::span<const std::optional<StridedView>> outputs;
  ShapeBinding shapes;
  bool resultsOnHost = true;
  kern_order order = KERN_ORDER_DEFAULT; ///< of new results
  /// Where each result's core dimensions are in the caller's array. Empty: at
  /// the end.
  std::vector<AxisMap> resultAxes;
  /// Where results are written; everywhere if there is none.
  std::optional<StridedView> mask;
  /// What else keeps the call from being planned (PlannedCall).
  std::string obstacle;
};

/// Makes temporaries where operands need another type, place or memory, runs
/// the loop, and returns a new array for each result without an `out` array
/// (NULL for the others). Results are as if all inputs were read before any
/// output is written. KERN_ERROR_OVERLAP if outputs overlap one another or
/// themselves, or a written input another operand.
/// Where `explanation` is not NULL it says, in lines, how operands were
/// reached.
Expected<std::vector<ManagedArray>> execute(const BoundCall &call, Space &space,
                                            kern_call_report &report,
                                            std::string *explanation = nullptr);

/// A call as one launch that can be repeated, or what stands in the way of
/// that: "argument 1 (`x`) is converted from i32 to f64".
struct PlannedCall {
  std::shared_ptr<const CallPlan> plan;
  std::string obstacle; ///< where there is no plan
};

/// Decides all of a call that can be decided before it is made, and refuses
/// what execute() refuses; nothing runs. `context` is the GPU of `space`, or
/// NULL.
Expected<PlannedCall> planCall(const BoundCall &call, Space &space,
                               std::shared_ptr<cuda::Context> context);

} // namespace kern

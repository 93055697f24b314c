//===- Bind.h - all of a call before its execution --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/CallDevice.h"
#include "runtime/module/Loop.h"
#include "runtime/plan/Axes.h"
#include "runtime/plan/Broadcast.h"

namespace kern::runtime {

/// A call after resolution and the binding of its shapes. One record, since
/// every later step reads it and none changes it.
struct BoundCall {
  const FunctionInfo *function = nullptr;
  std::shared_ptr<Loop> loop;
  std::span<const Argument> arguments;
  /// The `out` array for each result, if one was given.
  std::span<const std::optional<StridedView>> outputs;
  ShapeBinding shapes;
  bool resultsOnHost = true;
  kern_order order = KERN_ORDER_DEFAULT; ///< of new results
  /// Allocates the memory of new results. NULL: Kern does.
  const kern_allocator *allocator = nullptr;
  /// Where each result's core dimensions are in the caller's array. Empty: at
  /// the end.
  std::vector<AxisMap> resultAxes;
  /// Results are written where it is true; without it, everywhere.
  std::optional<StridedView> mask;
  /// Told how far the call is. NULL: nobody.
  const kern_progress *progress = nullptr;
  /// The call takes no kernel for now (untilMade): it is repeated with the
  /// kernels that it has, or its time decides where others run.
  bool waitsForKernel = false;
  /// What else prevents the call from being one launch (CallPlan).
  Obstacle obstacle;
};

/// A call whose arguments are checked, with everything decided before its
/// execution. It can be moved but not copied, since `call` refers to the other
/// members.
struct BoundArguments {
  BoundArguments() = default;
  BoundArguments(BoundArguments &&) = default;
  BoundArguments &operator=(BoundArguments &&) = default;

  Arguments arguments;
  std::vector<std::optional<StridedView>> outputs;
  CallDevice device;
  BoundCall call; ///< refers to the arguments and outputs
  /// Memory of copies that replace arguments.
  std::vector<Buffer> owners;
};

/// Why a call is bound.
enum class Purpose : uint8_t {
  Run,
  /// For types and shapes only: no device is chosen, and no memory is read or
  /// allocated.
  Resolve
};

/// Gathers the arguments, decides where the call runs, resolves its loop and
/// binds its shapes. `tensors` is empty or has an entry (possibly NULL) for
/// each result. Fails as kern_call() does before it runs anything.
Expected<BoundArguments> bindCall(kern_function &function,
                                  std::span<const kern_value> inputs,
                                  std::span<const DLTensor *const> tensors,
                                  const kern_call_request *options,
                                  Purpose purpose = Purpose::Run);

} // namespace kern::runtime

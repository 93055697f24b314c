//===- Operand.h - the arrays of methods ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Convert.h"
#include "runtime/array/StridedView.h"
#include "runtime/plan/Broadcast.h"
#include "runtime/plan/Overlap.h"

namespace kern::runtime {

/// An operand of a method: an array, or a number as an array without
/// dimensions. Its view may be changed, and is passed on as a tensor.
class Operand {
public:
  /// Of an argument of a call; `what` names it in messages. A range becomes an
  /// array of the host. Fails as viewOf(), and for numbers and ranges as
  /// gatherArguments() and toArray().
  static Expected<Operand> of(const kern_value &value, std::string_view what);
  explicit Operand(StridedView view) : view(std::move(view)) {}

  StridedView view;
  bool isNumber = false;

  /// Valid until this is changed or moved.
  const DLTensor *tensor();
  /// The same as an argument of a call.
  kern_value value();

private:
  Value number = {}; ///< the memory of a number
  Buffer numbers;    ///< that of a range
  Strides elementStrides;
  DLTensor made = {};
};

/// The view as it is broadcast to a shape. KERN_ERROR_SHAPE, with `what`, if it
/// cannot be.
Expected<StridedView> broadcastTo(const StridedView &view,
                                  std::span<const int64_t> shape,
                                  std::string_view what);

bool mayOverlap(const StridedView &a, const StridedView &b);

/// Axes of an array, as non-negative numbers in ascending order. `axis` as in
/// kern_call_request, but NULL is the first axis. Of an array without
/// dimensions axis 0 is not an axis. KERN_ERROR_SHAPE and KERN_ERROR_ARGUMENT
/// as arrangeAxes().
Expected<std::vector<size_t>> axesOf(const kern_axes *axis, size_t rank,
                                     std::string_view what);

} // namespace kern::runtime

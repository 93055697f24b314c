//===- Reduction.h - reduce and accumulate ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/launch/Sharded.h"
#include "runtime/methods/MethodTypes.h"
#include "runtime/methods/Operand.h"

namespace kern::runtime {

/// The arguments of a reduction, apart from its array.
struct ReductionRequest {
  Method method = Method::Reduce;
  std::optional<DType> output; ///< the type of the array for the result
  std::optional<DType> dtype;
  const kern_axes *axis = nullptr; ///< NULL: the first axis
  /// What it begins with. Nothing: the identity, if there is one.
  std::optional<MethodGufunc::Start> start;
  bool masked = false;
  bool onHost = true; ///< where it runs
};

/// A reduction as a call of a gufunc.
struct Reduction {
  MethodGufunc gufunc;
  std::vector<size_t> axes; ///< that are reduced, ascending
  /// The array has none of the axes: one of extent 1 is added at its end.
  bool addsAxis = false;
  /// With `gufunc.columns`: the axis of the columns.
  size_t column = 0;
};

/// Pure, except that it makes loops of generic functions. KERN_ERROR_ARGUMENT
/// and KERN_ERROR_SHAPE for what NumPy refuses too: several axes of a function
/// that is not associative; no elements, or a mask, without an initial value.
Expected<Reduction> planReduction(kern_function &function,
                                  const StridedView &array,
                                  const ReductionRequest &request);

/// The axis with the smallest stride, if that is not `axis`.
std::optional<size_t> columnAxis(const StridedView &array, size_t axis);

/// kern_reduce() and kern_accumulate(). `initial`, `output` and `report` may be
/// NULL.
Status reduce(kern_function &function, Method method, const kern_value &array,
              const kern_value *initial, const DLTensor *output,
              DLManagedTensor **result, const kern_call_request &options,
              kern_call_report *report);

/// Refuses an `out` array that does not have exactly the result's shape. A call
/// would broadcast to it; NumPy's reductions do not.
Status checkOutput(const StridedView &output, const Extents &shape);
/// Refuses options that a method does not have.
Status checkOptions(Method method, const kern_call_request &options);
/// The type that the options ask for.
Expected<std::optional<DType>> dtypeOf(const kern_call_request &options);
/// Whether a call with this array runs on the CPU.
bool runsOnHost(const StridedView &array, const kern_call_request &options);
/// The options of the call that a method makes: device, stream, order,
/// allocator and explanation are the caller's.
kern_call_request callOptions(const kern_call_request &options, DType dtype);

//===--- ShardedReduction.cpp -------------------------------------------===//
/// kern_sharded_reduce() with its options read, of which `mask` is the
/// `sharded_where`. `initial` and `report` may be NULL.
///
/// Each GPU reduces its part. If axis 0, along which the array is dealt, is
/// among the axes, the first GPU then combines what came of the parts, in their
/// order, and each GPU gets a copy of the result.
Expected<std::unique_ptr<Sharded>>
reduceSharded(kern_function &function, const Sharded &array,
              const kern_value *initial, const Sharded *mask,
              const kern_call_request &options, kern_call_report *report);

} // namespace kern::runtime

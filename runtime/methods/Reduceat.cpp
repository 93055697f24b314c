//===- Reduceat.cpp - reductions over pieces of an axis -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Call.h"
#include "runtime/methods/Indices.h"
#include "runtime/methods/Methods.h"

using namespace kern::runtime;

Status kern::runtime::reduceat(kern_function &function, const kern_value &array,
                               const kern_value &indices,
                               const DLTensor *output, DLManagedTensor **result,
                               const kern_call_request &options,
                               kern_call_report *report) {
  const std::string &name = function.info->name;
  if (Status status = checkOptions(Method::Reduceat, options); !status)
    return status.error().in(name);
  Expected<Operand> operand = Operand::of(array, "the array");
  if (!operand)
    return operand.error().in(name);
  ReductionRequest request;
  request.method = Method::Reduceat;
  Expected<std::optional<DType>> dtype = dtypeOf(options);
  if (!dtype)
    return dtype.error().in(name);
  request.dtype = *dtype;
  std::optional<StridedView> place;
  if (output) {
    Expected<StridedView> view = viewOf(output, "the array for the result");
    if (!view)
      return view.error().in(name);
    request.output = view->dtype;
    place = std::move(*view);
  }
  request.axis = options.axis;
  Expected<Reduction> plan = planReduction(function, operand->view, request);
  if (!plan)
    return plan.error();

  Expected<Operand> given = Operand::of(indices, "the array of indices");
  if (!given)
    return given.error().in(name);
  if (given->view.rank() != 1)
    return Error(ErrorCode::indices_rank, {given->view.rank()}).in(name);
  Expected<IndexList> read =
      IndexList::read(given->view, "the array of indices", options.call);
  if (!read)
    return read.error().in(name);
  const size_t axis = plan->axes[0];
  if (Status status = read->check(0, operand->view.shape[axis], axis); !status)
    return status.error().in(name);
  if (place) {
    Extents shape = operand->view.shape;
    shape[axis] = given->view.shape[0];
    if (Status status = checkOutput(*place, shape); !status)
      return status.error().in(name);
  }
  Expected<StridedView> places = read->besides(operand->view, options.call);
  if (!places)
    return places.error().in(name);
  Operand where(std::move(*places));

  Expected<kern_function *> gufunc = function.method(plan->gufunc);
  if (!gufunc)
    return gufunc.error();
  kern_call_request asked = callOptions(options, plan->gufunc.value);
  const auto along = int64_t(axis);
  const int64_t only = 0;
  const kern_axes axes[] = {{&along, 1}, {&only, 1}, {&along, 1}};
  asked.axes = axes;
  asked.axes_count = std::size(axes);
  const kern_value values[] = {operand->value(), where.value()};
  DLManagedTensor *made = nullptr;
  Status status = call(**gufunc, values,
                       output ? std::span<const DLTensor *const>(&output, 1)
                              : std::span<const DLTensor *const>(),
                       &made, &asked, report);
  if (status && made)
    *result = made;
  return status;
}

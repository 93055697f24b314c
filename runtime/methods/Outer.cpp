//===- Outer.cpp - a function of all pairs of elements --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Call.h"
#include "runtime/methods/Methods.h"

using namespace kern::runtime;

Status kern::runtime::outer(kern_function &function, const kern_value &a,
                            const kern_value &b,
                            std::span<const DLTensor *const> outputs,
                            DLManagedTensor **results,
                            const kern_call_request &options,
                            kern_call_report *report) {
  const FunctionInfo &info = *function.info;
  Expected<Operand> first = Operand::of(a, "the first array");
  if (!first)
    return first.error().in(info.name);
  Expected<Operand> second = Operand::of(b, "the second array");
  if (!second)
    return second.error().in(info.name);
  // Numbers count as arrays of their types, as in NumPy.
  StridedView &view = first->view;
  view.shape.insert(view.shape.end(), second->view.rank(), 1);
  view.strides.insert(view.strides.end(), second->view.rank(),
                      int64_t(itemSize(view.dtype)));
  const kern_value values[] = {first->value(), second->value()};
  return call(function, values, outputs, results, &options, report);
}

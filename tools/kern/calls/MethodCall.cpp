//===- MethodCall.cpp - calls of functions' methods -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/calls/MethodCall.h"

#include "runtime/error/Counted.h"

#include <algorithm>

namespace kern::cli {

using runtime::Error;
using runtime::Expected;
using runtime::Status;

/// By MethodCall::Kind, less the first.
static constexpr std::string_view methods[] = {"reduce", "accumulate",
                                               "reduceat", "at", "outer"};

std::vector<std::string> MethodCall::names() {
  return {std::begin(methods), std::end(methods)};
}

Expected<MethodCall> MethodCall::parse(std::string_view name) {
  if (name.empty())
    return MethodCall(Call);
  const auto *found = std::ranges::find(methods, name);
  if (found != std::end(methods))
    return MethodCall(Kind(found - std::begin(methods) + 1));
  std::string all;
  for (std::string_view each : methods)
    all += (all.empty() ? "" : ", ") + std::string(each);
  return Error{KERN_ERROR_ARGUMENT, "unknown method '" + std::string(name) +
                                        "' (there are: " + all + ")"};
}

Status MethodCall::check(const kern_function *function,
                         std::span<const kern_value> values,
                         const std::string &said) const {
  const size_t inputs = values.size();
  const bool hasOperand = kern_function_input_count(function) == 2;
  struct Row {
    Kind method;
    std::string takes;
    size_t least, most;
  };
  const Row rows[] = {
      {Reduce, "an array", 1, 1},
      {Accumulate, "an array", 1, 1},
      {Reduceat, "an array and indices", 2, 2},
      {Outer, "two arrays", 2, 2},
      {At,
       std::string("an array, indices for each axis that is indexed") +
           (hasOperand ? ", and an operand" : ""),
       hasOperand ? size_t(3) : size_t(2), SIZE_MAX},
  };
  for (const Row &row : rows)
    if (row.method == kind && (inputs < row.least || inputs > row.most))
      return Error{KERN_ERROR_ARGUMENT, said + " takes " + row.takes + "; " +
                                            runtime::counted(inputs, "input") +
                                            (inputs == 1 ? " was" : " were") +
                                            " given"};
  if (kind == At && values[0].kind != KERN_VALUE_ARRAY)
    return Error{KERN_ERROR_ARGUMENT,
                 said + " takes an array first, which it changes"};
  return {};
}

kern_status MethodCall::make(kern_function *function,
                             std::span<const kern_value> inputs,
                             const kern_value *initial,
                             std::span<DLManagedTensor *> results,
                             const kern_call_options *options,
                             kern_call_report *report) const {
  switch (kind) {
  case Call:
    return kern_call(function, inputs.data(), inputs.size(), nullptr,
                     results.data(), results.size(), options, report);
  case Reduce:
    return kern_reduce(function, inputs.data(), initial, nullptr,
                       results.data(), options, report);
  case Accumulate:
    return kern_accumulate(function, inputs.data(), nullptr, results.data(),
                           options, report);
  case Reduceat:
    return kern_reduceat(function, inputs.data(), &inputs[1], nullptr,
                         results.data(), options, report);
  case Outer:
    return kern_outer(function, inputs.data(), &inputs[1], nullptr,
                      results.data(), results.size(), options, report);
  case At:
    break;
  }
  // The input stays as it was.
  DLManagedTensor *copy = nullptr;
  if (const kern_status status =
          kern_array_copy(inputs[0].as.array, {kDLCPU, 0}, &copy);
      status != KERN_OK)
    return status;
  Array changed(copy);
  const bool hasOperand = kern_function_input_count(function) == 2;
  const kern_status status =
      kern_at(function, &changed->dl_tensor, &inputs[1],
              inputs.size() - (hasOperand ? 2 : 1),
              hasOperand ? &inputs.back() : nullptr, options, report);
  if (status == KERN_OK)
    results[0] = changed.release();
  return status;
}

} // namespace kern::cli

//===- MethodCall.cpp - methods of functions in kern run ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/MethodCall.h"

#include "runtime/error/Counted.h"

namespace kern::cli {

using runtime::Error;
using runtime::Expected;
using runtime::Status;

std::vector<std::string> MethodCall::names() {
  return {"reduce", "accumulate", "reduceat", "at", "outer"};
}

Expected<MethodCall> MethodCall::parse(std::string_view name) {
  std::string all;
  for (const std::string &one : names()) {
    if (name.empty() || one == name)
      return MethodCall(name);
    all += (all.empty() ? "" : ", ") + one;
  }
  return Error{KERN_ERROR_ARGUMENT, "unknown method '" + std::string(name) +
                                        "' (there are: " + all + ")"};
}

Status MethodCall::check(const kern_function *function,
                         std::span<const kern_value> values) const {
  const size_t inputs = values.size();
  const bool hasOperand = kern_function_input_count(function) == 2;
  struct Row {
    std::string_view method;
    std::string takes;
    size_t least, most;
  };
  const Row rows[] = {
      {"reduce", "an array", 1, 1},
      {"accumulate", "an array", 1, 1},
      {"reduceat", "an array and indices", 2, 2},
      {"outer", "two arrays", 2, 2},
      {"at",
       std::string("an array, indices for each axis that is indexed") +
           (hasOperand ? ", and an operand" : ""),
       hasOperand ? size_t(3) : size_t(2), SIZE_MAX},
  };
  for (const Row &row : rows)
    if (row.method == name && (inputs < row.least || inputs > row.most))
      return Error{KERN_ERROR_ARGUMENT,
                   "--method " + name + " takes " + row.takes + "; " +
                       runtime::counted(inputs, "input") +
                       (inputs == 1 ? " was" : " were") + " given"};
  if (name == "at" && values[0].kind != KERN_VALUE_ARRAY)
    return Error{KERN_ERROR_ARGUMENT,
                 "--method at takes an array first, which it changes"};
  return {};
}

kern_status MethodCall::make(kern_function *function,
                             std::span<const kern_value> inputs,
                             const kern_value *initial,
                             std::span<DLManagedTensor *> results,
                             const kern_call_options *options,
                             kern_call_report *report) const {
  if (name == "reduce")
    return kern_reduce(function, inputs.data(), initial, nullptr,
                       results.data(), options, report);
  if (name == "accumulate")
    return kern_accumulate(function, inputs.data(), nullptr, results.data(),
                           options, report);
  if (name == "reduceat")
    return kern_reduceat(function, inputs.data(), &inputs[1], nullptr,
                         results.data(), options, report);
  if (name == "outer")
    return kern_outer(function, inputs.data(), &inputs[1], nullptr,
                      results.data(), results.size(), options, report);
  if (name != "at")
    return kern_call(function, inputs.data(), inputs.size(), nullptr,
                     results.data(), results.size(), options, report);
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

//===- Arguments.cpp - the inputs of a call -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Arguments.h"

#include "tools/kern/Value.h"

namespace kern::cli {

Status Arguments::add(const std::string &text) {
  if (!text.ends_with(".npy")) {
    Expected<kern_value> value = parseValue(text);
    if (!value)
      return Error{KERN_ERROR_ARGUMENT,
                   "input " + std::to_string(list.size() + 1) + ": " +
                       value.error().message +
                       " (inputs are .npy files and numbers such as 1, -0.5, "
                       "2j, True, f32(1))"};
    list.push_back(*value);
    return {};
  }
  DLManagedTensor *array = nullptr;
  if (kern_status status = kern_npy_read(text.c_str(), &array);
      status != KERN_OK)
    return Error{status, kern_last_error()};
  arrays.emplace_back(array);
  kern_value value{};
  value.kind = KERN_VALUE_ARRAY;
  value.as.array = &array->dl_tensor;
  list.push_back(value);
  return {};
}

} // namespace kern::cli

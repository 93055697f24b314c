//===- DeviceName.cpp - devices by name -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/DeviceName.h"

#include <charconv>

namespace kern::cli {

Expected<std::optional<kern_device>> parseDevice(const std::string &name) {
  if (name == "auto")
    return std::optional<kern_device>();
  if (name == "cpu")
    return std::optional(kern_device{kDLCPU, 0});
  if (name == "cuda")
    return std::optional(kern_device{kDLCUDA, 0});
  constexpr std::string_view prefix = "cuda:";
  int index = 0;
  const char *end = name.data() + name.size();
  if (name.starts_with(prefix)) {
    auto [last, error] =
        std::from_chars(name.data() + prefix.size(), end, index);
    if (error == std::errc() && last == end && index >= 0)
      return std::optional(kern_device{kDLCUDA, index});
  }
  return Error{KERN_ERROR_ARGUMENT,
               "unknown device '" + name +
                   "' (there are: auto, cpu, cuda, cuda:N)"};
}

} // namespace kern::cli

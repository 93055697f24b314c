//===- MethodCall.h - calls of functions' methods ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/methods.h"
#include "runtime/error/Expected.h"
#include "tools/kern/values/Handles.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// What `kern run` and tests call: a function, or one of its methods.
class MethodCall {
public:
  /// The names that --method takes.
  static std::vector<std::string> names();
  /// A name of names(); "" is the function itself.
  static runtime::Expected<MethodCall> parse(std::string_view name);

  bool isReduce() const { return kind == Reduce; }
  /// KERN_ERROR_ARGUMENT, saying what `said` takes ("--method reduce"), for
  /// other inputs.
  runtime::Status check(const kern_function *function,
                        std::span<const kern_value> values,
                        const std::string &said) const;
  /// Makes the call. `initial` may be NULL. `results` has a place for each
  /// result of the function; `at` gives the array that it changed, a copy.
  kern_status make(kern_function *function, std::span<const kern_value> inputs,
                   const kern_value *initial,
                   std::span<DLManagedTensor *> results,
                   const kern_call_options *options,
                   kern_call_report *report) const;

private:
  enum Kind : uint8_t { Call, Reduce, Accumulate, Reduceat, At, Outer };
  explicit MethodCall(Kind kind) : kind(kind) {}
  Kind kind;
};

} // namespace kern::cli

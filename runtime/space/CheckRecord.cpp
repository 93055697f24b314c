//===- CheckRecord.cpp - what a launch's checks found ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/Counted.h"
#include "runtime/space/CheckRecord.h"

#include <algorithm>

using namespace kern;

/// "`v` has 5 elements along axis 0".
static std::string extent(const CheckInfo &check, int64_t size) {
  return "`" + check.text + "` has " + counted(size_t(size), "element") +
         " along axis " + std::to_string(check.axis);
}

static std::string describe(const CheckRecord &record, const CheckInfo &check,
                            const FunctionInfo &function) {
  if (check.kind == "index" || check.kind == "bound")
    return (check.kind == "index" ? "index " : "bound ") +
           std::to_string(record.values[0]) +
           " is out of range: " + extent(check, record.values[1]);
  if (check.kind != "unwritten")
    return "assertion failed: " + check.text;
  size_t rank = 0;
  for (const OperandInfo &result : function.results)
    if (result.name == check.text)
      rank = std::min(result.core.size(), record.values.size());
  std::string indices;
  for (size_t i = 0; i < rank; ++i)
    indices += (i ? ", " : "") + std::to_string(record.values[i]);
  return "the result's element `" + check.text + "[" + indices +
         "]` is never written";
}

Status kern::checkFailure(const CheckRecord &record,
                          const FunctionInfo &function,
                          const KernelInfo &kernel) {
  if (record.number == 0)
    return {};
  auto number = uint64_t(record.number) - 1;
  if (number >= kernel.checks.size())
    return Error{KERN_ERROR_INTERNAL, "`" + function.name +
                                          "`: no check has the number " +
                                          std::to_string(number)};
  const CheckInfo &check = kernel.checks[number];
  return Error{KERN_ERROR_CHECK, "`" + function.name + "` at " + check.place +
                                     ": " + describe(record, check, function)};
}

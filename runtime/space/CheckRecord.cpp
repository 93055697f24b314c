//===- CheckRecord.cpp - what a launch's checks found ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/CheckRecord.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <string_view>
#include <utility>

using namespace kern;

/// "`v` has 5 elements along axis 0".
static std::string extent(const CheckInfo &check, int64_t size) {
  return "`" + check.text + "` has " + counted(size_t(size), "element") +
         " along axis " + std::to_string(check.axis);
}

static std::string describe(const CheckRecord &record, const CheckInfo &check,
                            const FunctionInfo &function) {
  const std::string_view kind = check.kind;
  for (const std::string what : {"index", "bound"})
    if (kind == what || kind == what + " from end") {
      // What counts from the end is shown as it was written.
      const auto [index, size] = std::pair(record.values[0], record.values[1]);
      return what + " " + std::to_string(kind == what ? index : index - size) +
             " is out of range: " + extent(check, size);
    }
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

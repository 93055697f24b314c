//===- CheckRecord.cpp - what a launch's checks found ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/CheckRecord.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

using namespace kern;

/// "`v` has 5 elements along axis 0".
static std::string extent(const CheckInfo &check, int64_t size) {
  return "`" + check.text + "` has " + counted(size_t(size), "element") +
         " along axis " + std::to_string(check.axis);
}

static bool isAccess(const CheckInfo &check) {
  return check.kind == "read" || check.kind == "write" || check.kind == "add";
}

static std::string verb(const CheckInfo &access) {
  return access.kind == "read"    ? "reads"
         : access.kind == "write" ? "writes"
                                  : "adds to";
}

/// "0, 3".
static std::string list(std::span<const int64_t> values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

/// "iteration 2", "iteration (0, 3)".
static std::string iteration(std::span<const int64_t> indices) {
  return indices.size() == 1 ? "iteration " + list(indices)
                             : "iteration (" + list(indices) + ")";
}

/// That an iteration touches what another one has: "iteration 3 of the `prange`
/// reads `y[2]`, which iteration 2 writes at F.kern:3:9".
static std::string describeRace(const CheckRecord &record,
                                const CheckInfo &check,
                                const KernelInfo &kernel) {
  std::span<const int64_t> values = record.values;
  auto other = uint64_t(values[0]);
  size_t count = check.axis, rank = size_t(values[1]);
  if (other >= kernel.checks.size() || 2 + 2 * count + rank > values.size())
    return "iterations of the `prange` meet at one element of `" + check.text +
           "`";
  const CheckInfo &earlier = kernel.checks[other];
  return iteration(values.subspan(2 + count, count)) + " of the `prange` " +
         verb(check) + " `" + check.text + "[" +
         list(values.subspan(2 + 2 * count, rank)) + "]`, which " +
         iteration(values.subspan(2, count)) + " " + verb(earlier) + " at " +
         earlier.place;
}

static std::string describe(const CheckRecord &record, const CheckInfo &check,
                            const FunctionInfo &function,
                            const KernelInfo &kernel) {
  if (isAccess(check))
    return describeRace(record, check, kernel);
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
  return "the result's element `" + check.text + "[" +
         list(std::span(record.values).first(rank)) + "]` is never written";
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
                                     ": " +
                                     describe(record, check, function, kernel)};
}

//===- CheckRecord.cpp - the results of a launch's checks -----------------===//
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

using namespace kern::runtime;

static std::string verb(const CheckInfo &access) {
  return access.kind == CheckKind::Read    ? "reads"
         : access.kind == CheckKind::Write ? "writes"
                                           : "adds to";
}

/// `isFromEnd`: the index was written as a negative number, and is shown so.
static Error rangeError(const CheckRecord &record, const CheckInfo &check,
                        const std::string &function, std::string_view what,
                        bool isFromEnd) {
  const auto [index, size] = std::pair(record.values[0], record.values[1]);
  return Error(ErrorCode::check_out_of_range,
               {function, check.place, what, isFromEnd ? index - size : index,
                check.text, counted(size_t(size), "element"), check.axis});
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

/// An iteration accesses what another one accesses: "iteration 3 of the
/// `prange` reads `y[2]`, which iteration 2 writes at F.kern:3:9".
static Error raceError(const CheckRecord &record, const CheckInfo &check,
                       const std::string &function, const KernelInfo &kernel) {
  std::span<const int64_t> values = record.values;
  auto other = uint64_t(values[0]);
  size_t count = check.axis, rank = size_t(values[1]);
  if (other >= kernel.checks.size() || 2 + 2 * count + rank > values.size())
    return Error(ErrorCode::check_race_somewhere,
                 {function, check.place, check.text});
  const CheckInfo &earlier = kernel.checks[other];
  return Error(
      ErrorCode::check_race,
      {function, check.place, iteration(values.subspan(2 + count, count)),
       verb(check), check.text, list(values.subspan(2 + 2 * count, rank)),
       iteration(values.subspan(2, count)), verb(earlier), earlier.place});
}

Status kern::runtime::checkFailure(const CheckRecord &record,
                                   const FunctionInfo &function,
                                   const KernelInfo &kernel) {
  if (record.number == 0)
    return {};
  auto number = uint64_t(record.number) - 1;
  if (number >= kernel.checks.size())
    return Error(ErrorCode::check_unknown, {number}).in(function.name);
  const CheckInfo &check = kernel.checks[number];
  switch (check.kind) {
  case CheckKind::Index:
    return rangeError(record, check, function.name, "index", false);
  case CheckKind::IndexFromEnd:
    return rangeError(record, check, function.name, "index", true);
  case CheckKind::Bound:
    return rangeError(record, check, function.name, "bound", false);
  case CheckKind::BoundFromEnd:
    return rangeError(record, check, function.name, "bound", true);
  case CheckKind::Assert:
    return Error(ErrorCode::check_assertion,
                 {function.name, check.place, check.text});
  case CheckKind::Read:
  case CheckKind::Write:
  case CheckKind::Add:
    return raceError(record, check, function.name, kernel);
  case CheckKind::Unwritten:
    break;
  }
  size_t rank = 0;
  for (const OperandInfo &result : function.results)
    if (result.name == check.text)
      rank = std::min(result.core.size(), record.values.size());
  return Error(ErrorCode::check_unwritten,
               {function.name, check.place, check.text,
                list(std::span(record.values).first(rank))});
}

//===- CallRequest.cpp - what a call of kern run asks for -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/calls/CallRequest.h"

#include "runtime/array/DType.h"

#include <charconv>

namespace kern::cli {

using runtime::DType;
using runtime::Error;
using runtime::Status;

namespace {

Error refuse(std::string message) {
  return {KERN_ERROR_ARGUMENT, std::move(message)};
}

/// Reads integers and tuples of them, separated by commas.
class AxisReader {
public:
  explicit AxisReader(std::string_view text) : rest(text) {}

  bool atEnd() {
    skipSpace();
    return rest.empty();
  }
  bool take(char wanted) {
    skipSpace();
    if (rest.empty() || rest.front() != wanted)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  std::optional<int64_t> integer() {
    skipSpace();
    int64_t value = 0;
    auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc())
      return std::nullopt;
    rest.remove_prefix(size_t(end - rest.data()));
    return value;
  }
  /// "1" or "(0, 1)", "(0,)", "()".
  std::optional<std::vector<int64_t>> entry() {
    std::vector<int64_t> list;
    if (!take('(')) {
      std::optional<int64_t> one = integer();
      return one ? std::optional(std::vector{*one}) : std::nullopt;
    }
    while (!take(')')) {
      std::optional<int64_t> one = integer();
      if (!one)
        return std::nullopt;
      list.push_back(*one);
      if (take(')'))
        break;
      if (!take(','))
        return std::nullopt;
    }
    return list;
  }

private:
  void skipSpace() {
    while (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
  }
  std::string_view rest;
};

template <size_t N>
std::optional<int> indexIn(const std::string_view (&names)[N],
                           std::string_view text) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == text)
      return int(i);
  return std::nullopt;
}

} // namespace

runtime::Expected<kern_device> parseDevice(const std::string &name) {
  kern_device device{};
  if (kern_status status = kern_device_named(name.c_str(), &device);
      status != KERN_OK)
    return Error{status, kern_last_error()};
  return device;
}

std::vector<std::string> dtypeNames() {
  std::vector<std::string> names;
  for (unsigned i = 0; i < runtime::dtypeCount; ++i)
    names.emplace_back(name(DType(i)));
  return names;
}

Status CallRequest::setAxis(std::string_view text) {
  if (text == "all") {
    axis = kern_axes{nullptr, 0};
    return {};
  }
  AxisReader reader(text);
  std::optional<std::vector<int64_t>> list = reader.entry();
  if (!list || !reader.atEnd())
    return refuse("--axis takes an axis such as -1, several such as (0, 1), "
                  "or all, not '" +
                  std::string(text) + "'");
  lists.push_back(std::move(*list));
  axis = kern_axes{lists.back().data(), lists.back().size()};
  // An empty list is not every axis.
  if (lists.back().empty()) {
    lists.back().reserve(1);
    axis->axes = lists.back().data();
  }
  return {};
}

Status CallRequest::setAxes(std::string_view text) {
  AxisReader reader(text);
  bool isBracketed = reader.take('[');
  std::vector<kern_axes> all;
  bool isRight = true;
  while (isRight && !reader.atEnd()) {
    std::optional<std::vector<int64_t>> list = reader.entry();
    isRight = list.has_value();
    if (!list)
      break;
    list->reserve(1);
    lists.push_back(std::move(*list));
    all.push_back({lists.back().data(), lists.back().size()});
    if (!reader.take(','))
      break;
  }
  isRight &= !isBracketed || reader.take(']');
  if (!isRight || !reader.atEnd())
    return refuse("--axes takes an entry for each operand, such as "
                  "'(0, 1), (1, 2), 0', not '" +
                  std::string(text) + "'");
  axes = std::move(all);
  return {};
}

Status CallRequest::setShape(std::string_view text) {
  AxisReader reader(text.starts_with('(') ? text : "");
  std::string bracketed = "(" + std::string(text) + ")";
  if (!text.starts_with('('))
    reader = AxisReader(bracketed);
  std::optional<std::vector<int64_t>> extents = reader.entry();
  if (!extents || !reader.atEnd() || text.empty())
    return refuse("--shape takes the extents of the result, such as 10,20, not "
                  "'" +
                  std::string(text) + "'");
  extents->reserve(1); // an empty one is not NULL
  lists.push_back(std::move(*extents));
  options.shape = lists.back().data();
  options.shape_ndim = int(lists.back().size());
  return {};
}

Status CallRequest::setDtype(std::string_view text) {
  std::optional<DType> type = runtime::parseDType(text);
  if (!type)
    return refuse("--dtype takes an element type such as f32, not '" +
                  std::string(text) + "'");
  options.has_dtype = 1;
  options.dtype = kern_dtype(*type);
  return {};
}

Status CallRequest::setCasting(std::string_view text) {
  static constexpr std::string_view names[] = {"",     "no",        "equiv",
                                               "safe", "same_kind", "unsafe"};
  std::optional<int> index = indexIn(names, text);
  if (!index || text.empty())
    return refuse("--casting takes no, equiv, safe, same_kind or unsafe, not "
                  "'" +
                  std::string(text) + "'");
  options.casting = kern_casting(*index);
  return {};
}

Status CallRequest::setOrder(std::string_view text) {
  static constexpr std::string_view names[] = {"", "K", "C", "F", "A"};
  std::optional<int> index = indexIn(names, text);
  if (!index || text.empty())
    return refuse("--order takes K, C, F or A, not '" + std::string(text) +
                  "'");
  options.order = kern_order(*index);
  return {};
}

void CallRequest::explain() {
  constexpr size_t maxBytes = 1 << 16; // bytes: far more than operands need
  said.assign(maxBytes, '\0');
  options.explanation = said.data();
  options.explanation_size = said.size();
}

std::string CallRequest::explanation(std::string_view indent) const {
  std::string lines;
  for (size_t at = 0, end; (end = said.find('\n', at)) != said.npos;
       at = end + 1)
    lines += std::string(indent) + said.substr(at, end - at + 1);
  return lines;
}

const kern_call_options *CallRequest::get() {
  options.call.size = sizeof options;
  options.axis = axis ? &*axis : nullptr;
  options.axes = axes ? axes->data() : nullptr;
  options.axes_count = axes ? axes->size() : 0;
  return &options.call;
}

} // namespace kern::cli

//===- NumberList.cpp - arrays written as lists of numbers ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/values/NumberList.h"

#include "runtime/array/DType.h"
#include "tools/kern/values/Value.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace kern::cli {

using runtime::DType;
using runtime::Error;
using runtime::Expected;
using runtime::Status;

namespace {

/// The type of a number in an array.
kern_dtype elementType(const kern_value &value) {
  switch (value.kind) {
  case KERN_VALUE_WEAK_INT:
    return KERN_I64;
  case KERN_VALUE_WEAK_FLOAT:
    return KERN_F64;
  case KERN_VALUE_WEAK_COMPLEX:
    return KERN_C128;
  default:
    return value.dtype;
  }
}

/// Writes a number as an element of `type`, which is its own or, for bool and
/// plain numbers, one of i64, f64 and c128 that holds it.
void store(const kern_value &value, kern_dtype type, std::byte *place) {
  if (elementType(value) == type) {
    std::memcpy(place, value.as.bits, itemSize(DType(type)));
    return;
  }
  int64_t integer = 0;
  if (value.kind == KERN_VALUE_SCALAR)
    integer = value.as.bits[0];
  else if (value.kind == KERN_VALUE_WEAK_INT)
    integer = value.as.integer;
  const double parts[2] = {
      value.kind == KERN_VALUE_WEAK_FLOAT ? value.as.real : double(integer), 0};
  if (type == KERN_I64)
    std::memcpy(place, &integer, sizeof integer);
  else
    std::memcpy(place, parts, itemSize(DType(type)));
}

bool isPlain(const kern_value &value) {
  return value.kind != KERN_VALUE_SCALAR || value.dtype == KERN_BOOL;
}

Error refuse(std::string message) {
  return {KERN_ERROR_ARGUMENT, std::move(message)};
}

/// Reads nested lists; the first that ends says how long those beside it are.
class ListReader {
public:
  /// `type`: put around every number; "": none.
  ListReader(std::string_view text, std::string type)
      : rest(text), type(std::move(type)) {}

  Expected<Array> read();

private:
  static constexpr size_t maxDimensions = 64; ///< NumPy's

  Status list(size_t axis);
  Status element(size_t axis);
  Status number();
  /// The next character that is not a blank; 0 at the end.
  char next();
  bool take(char wanted);

  std::string_view rest;
  std::string type;
  std::vector<int64_t> shape;       ///< of the lists that have ended
  std::optional<size_t> dimensions; ///< of the list that holds numbers
  std::vector<kern_value> leaves;
};

char ListReader::next() {
  const size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
  rest.remove_prefix(blanks);
  return rest.empty() ? '\0' : rest[0];
}

bool ListReader::take(char wanted) {
  if (next() != wanted)
    return false;
  rest.remove_prefix(1);
  return true;
}

/// Up to the next comma or bracket outside of parentheses.
Status ListReader::number() {
  size_t end = 0, depth = 0;
  for (; end < rest.size(); ++end) {
    const char c = rest[end];
    if (depth == 0 && (c == ',' || c == ']' || c == '['))
      break;
    depth += c == '(';
    depth -= c == ')' && depth > 0;
  }
  std::string text(rest.substr(0, end));
  rest.remove_prefix(end);
  text.resize(text.find_last_not_of(' ') + 1);
  Expected<kern_value> value =
      parseValue(type.empty() ? text : type + "(" + text + ")");
  if (!value)
    return value.error();
  leaves.push_back(*value);
  return {};
}

Status ListReader::element(size_t axis) {
  const bool isList = next() == '[';
  const bool wasList = shape.size() > axis;
  if (isList ? dimensions == axis : wasList)
    return refuse("a list holds numbers and lists side by side");
  if (isList)
    return list(axis);
  dimensions = axis;
  return number();
}

Status ListReader::list(size_t axis) {
  if (axis == maxDimensions)
    return refuse("lists are nested more than " +
                  std::to_string(maxDimensions) + " deep");
  take('[');
  int64_t length = 0;
  if (shape.size() <= axis)
    shape.resize(axis + 1, -1);
  while (next() != ']') {
    if (Status status = element(axis + 1); !status)
      return status;
    ++length;
    if (!take(',') && next() != ']')
      return refuse(next() ? "a comma is missing between two elements"
                           : "a `[` is never closed");
  }
  take(']');
  if (shape[axis] >= 0 && shape[axis] != length)
    return refuse("lists side by side have different lengths, " +
                  std::to_string(shape[axis]) + " and " +
                  std::to_string(length));
  shape[axis] = length;
  return {};
}

Expected<Array> ListReader::read() {
  if (Status status = list(0); !status)
    return status.error();
  if (next())
    return refuse("'" + std::string(rest) + "' follows the list");
  return arrayOf(shape, leaves);
}

/// The type of `f32([1, 2])`; "" for a list alone.
std::string_view typeAround(std::string_view text) {
  const size_t open = text.find("([");
  return open == text.npos || text.back() != ')' ? "" : text.substr(0, open);
}

} // namespace

Expected<Array> arrayOf(std::span<const int64_t> shape,
                        std::span<const kern_value> leaves) {
  kern_dtype type = leaves.empty() ? KERN_F64 : elementType(leaves[0]);
  for (const kern_value &leaf : leaves) {
    const kern_dtype other = elementType(leaf);
    if (other != type && !(isPlain(leaves[0]) && isPlain(leaf)))
      return refuse("the numbers of a list have one type: put it around the "
                    "list, as in f32([1, 2])");
    // bool < i64 < f64 < c128, in the order of kern_dtype.
    type = std::max(type, other);
  }
  DLManagedTensor *made = nullptr;
  const kern_status status =
      kern_array_new(type, int(shape.size()), shape.data(), {kDLCPU, 0}, &made);
  if (status != KERN_OK)
    return Error{status, kern_last_error()};
  auto *place = static_cast<std::byte *>(made->dl_tensor.data);
  for (const kern_value &leaf : leaves) {
    store(leaf, type, place);
    place += itemSize(DType(type));
  }
  return Array(made);
}

bool looksLikeList(std::string_view text) {
  return text.starts_with('[') || !typeAround(text).empty();
}

Expected<Array> parseList(std::string_view text) {
  const std::string_view type = typeAround(text);
  if (!type.empty())
    text = text.substr(type.size() + 1, text.size() - type.size() - 2);
  return ListReader(text, std::string(type)).read();
}

} // namespace kern::cli

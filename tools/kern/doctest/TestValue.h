//===- TestValue.h - what an expression of a test gives ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/kern.h"
#include "runtime/error/Expected.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// A number, an array on the host, or the several results of a call.
struct TestValue {
  kern_value value{};
  /// The digits of a plain integer that i64 does not hold: `value` is then 0.
  std::string wide;
  /// The array that `value` refers to, if it is one.
  std::shared_ptr<DLManagedTensor> owner;
  std::vector<TestValue> tuple;
  bool isTuple = false;

  bool isArray() const { return !isTuple && value.kind == KERN_VALUE_ARRAY; }
  bool isWide() const { return !wide.empty(); }
  /// Of a plain integer, with its sign.
  std::string digits() const {
    return isWide() ? wide : std::to_string(value.as.integer);
  }
  /// Without a type of its own: a plain Python number.
  bool isWeak() const {
    return !isTuple && value.kind != KERN_VALUE_ARRAY &&
           value.kind != KERN_VALUE_SCALAR;
  }
};

/// Takes the array over; one without dimensions becomes a number.
TestValue toTestValue(DLManagedTensor *array);

/// The array of a nested list: `leaves` in row-major order. Plain numbers make
/// an i64, f64 or c128 array, as in NumPy; typed ones must be of one type.
/// KERN_ERROR_ARGUMENT otherwise.
runtime::Expected<TestValue> makeArray(const std::vector<int64_t> &shape,
                                       const std::vector<TestValue> &leaves);

/// The value as a host array; a number becomes one without dimensions. Not for
/// tuples.
runtime::Expected<std::shared_ptr<DLManagedTensor>>
toArray(const TestValue &value);

/// As NumPy prints it.
std::string valueText(const TestValue &value);

//===--- ExpectedText.cpp ------------------------------------------------===//
/// Compares a value with a docstring's text: a number, nested lists for an
/// array, a tuple for several results. A float agrees if it rounds to the
/// digits shown (`0.333`, `1.5e-10`); `nan`, `inf` and floats without a
/// fraction, such as `2`, must be equal. So must integers, bools and shapes.
/// Returns "" or a description of the first difference.
std::string difference(const TestValue &value, std::string_view expected);

} // namespace kern::cli

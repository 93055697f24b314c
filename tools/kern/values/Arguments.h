//===- Arguments.h - the inputs of a call -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"
#include "tools/kern/values/Handles.h"

#include <deque>
#include <string>
#include <vector>

namespace kern::cli {

/// The inputs of `kern run`: owns the arrays that were read.
class Arguments {
public:
  /// Reads a `.npy` file, a number, a range or a list of numbers.
  /// KERN_ERROR_IO, KERN_ERROR_NOT_FOUND or KERN_ERROR_TYPE for a file that
  /// cannot be used, KERN_ERROR_ARGUMENT for what is none of these.
  runtime::Status add(const std::string &text);
  /// The same, or `name=INPUT` for a parameter of that name, after those given
  /// by position.
  runtime::Status addNamed(const std::string &text);
  /// Those given by position, and after bind() all.
  const std::vector<kern_value> &values() const { return list; }
  bool hasNames() const { return !names.empty(); }
  /// Puts those given by name in their places, and defaults in theirs.
  /// KERN_ERROR_ARGUMENT as kern_bind_arguments() gives it.
  runtime::Status bind(const kern_function *function);

private:
  void add(Array array);

  std::vector<kern_value> list;
  std::vector<std::string> names; ///< of the last values of `list`
  std::vector<Array> arrays;
  std::deque<kern_range> ranges;
};

/// The extension of a path in lower case, with its dot: ".npy"; "" for none.
std::string ending(const std::string &path);

} // namespace kern::cli

//===- Arguments.h - the arguments of a call --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Convert.h"
#include "runtime/array/StridedView.h"
#include "runtime/artefact/Manifest.h"

#include <span>
#include <vector>

namespace kern::runtime {

/// One argument for a parameter that is not a `dim`.
struct Argument {
  const OperandInfo *parameter = nullptr;
  size_t position = 0; ///< among all parameters, from 1
  ArgType type;
  bool isArray = false;
  StridedView view; ///< when it is an array; else of rank 0
  /// Passed by value: a number, or a one-element host array for a parameter
  /// without core dimensions that is not written.
  bool isScalar = false;
  Value value = {}; ///< of a scalar, in `type.carrier()`
};

struct Arguments {
  std::vector<Argument> operands;
  std::vector<int64_t> dims; ///< the values of the `dim` parameters
};

/// "argument 2 (`y`)"
std::string describe(const Argument &argument);

/// KERN_ERROR_ARGUMENT, naming the function and both counts, unless there is
/// one argument for each parameter, or one place for each result.
Status checkArgumentCount(const std::string &function,
                          std::span<const std::string> parameters,
                          size_t given);
Status checkResultCount(const std::string &function, size_t results,
                        size_t given);

/// Checks and gathers a call's arguments. KERN_ERROR_ARGUMENT for a wrong
/// number of arguments, a malformed array, a `dim` that is not a non-negative
/// integer, and a number for an `inout` parameter; KERN_ERROR_TYPE for an
/// unsupported element type.
Expected<Arguments> gatherArguments(const FunctionInfo &function,
                                    std::span<const kern_value> values);

/// The value of a scalar as `to`. KERN_ERROR_TYPE for a weak integer that does
/// not fit `to`.
Expected<Value> valueAs(const Argument &argument, ArgType to);

} // namespace kern::runtime

//===- Arguments.h - the arguments of a call --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Convert.h"
#include "runtime/array/IntegerRange.h"
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
  StridedView view; ///< of an array or a range; else of rank 0
  /// It is a range. The view has no data, and a stride of 1 in place of bytes.
  std::optional<IntegerRange> range = std::nullopt;
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

/// The error of a call with too few or too many arguments: it names the
/// function, the counts and the parameters with their defaults.
Error wrongArgumentCount(const FunctionInfo &function, size_t given);

/// KERN_ERROR_ARGUMENT, naming the function and both counts, unless there is
/// one argument for each parameter, or one place for each result.
Status checkArgumentCount(const std::string &function,
                          std::span<const std::string> parameters,
                          size_t given);
Status checkResultCount(const std::string &function, size_t results,
                        size_t given);

/// The same of places for results, and KERN_ERROR_ARGUMENT if there are inputs
/// but `inputs` is null: what each call of the C interface checks first.
Status checkCounts(const FunctionInfo &function, const void *inputs,
                   size_t inputCount, size_t outputCount);

/// Checks and gathers a call's arguments. KERN_ERROR_ARGUMENT for a wrong
/// number of arguments, a malformed array, a `dim` that is not a non-negative
/// integer, and a number for an `inout` parameter; KERN_ERROR_TYPE for an
/// unsupported element type.
Expected<Arguments> gatherArguments(const FunctionInfo &function,
                                    std::span<const kern_value> values);

/// Turns a range into an array of the host, whose memory it returns.
/// KERN_ERROR_MEMORY if there is too little.
Expected<Buffer> toArray(Argument &argument);

/// The value of a scalar as `to`. KERN_ERROR_TYPE for a weak integer that does
/// not fit `to`.
Expected<Value> valueAs(const Argument &argument, ArgType to);

} // namespace kern::runtime

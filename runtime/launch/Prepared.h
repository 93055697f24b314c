//===- Prepared.h - prepared calls ------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/CallPlan.h"

namespace kern::runtime {

/// Why an operand does not fit a prepared call.
struct Mismatch {
  ErrorCode code = ErrorCode::null_pointer;
  size_t operand = 0;
  const OverlapRelation *relation = nullptr; ///< of two operands
};

} // namespace kern::runtime

/// What the handle of the C interface holds. Immutable.
struct kern_prepared {
  std::shared_ptr<const kern::runtime::CallPlan> plan;
  /// For messages, by operand: "argument 1 (`x`)", "result 1".
  std::vector<std::string> labels;

  /// The names of those that are given at each launch. The others have their
  /// defaults.
  std::vector<std::string> parameters;
  std::vector<kern_value> defaults;
  size_t resultCount = 0;

  /// Of kern_prepared_launch(): KERN_ERROR_ARGUMENT if they are not the
  /// function's.
  kern::runtime::Status checkCounts(size_t inputs, size_t outputs) const;
  /// kern_prepared_launch() with as many addresses.
  kern::runtime::Status launch(const void *const *inputs, void *const *outputs,
                               CUstream stream) const;
  /// kern_prepared_try_launch() likewise: whether it has run.
  kern::runtime::Expected<bool> tryLaunch(const void *const *inputs,
                                          void *const *outputs,
                                          CUstream stream) const;

private:
  /// Where operand `k` is; NULL if the caller gave nothing.
  const void *placeOf(size_t k, const void *const *inputs,
                      void *const *outputs) const;
  std::optional<kern::runtime::Mismatch>
  gather(const void *const *inputs, void *const *outputs,
         kern::runtime::CallOperands &given) const;
  kern::runtime::Error errorOf(const kern::runtime::Mismatch &mismatch,
                               const void *const *inputs,
                               void *const *outputs) const;
};

namespace kern::runtime {

/// The last step of kern_prepare(): the handle of a plan.
/// `given` is the number of arguments; the other parameters have defaults.
Expected<std::unique_ptr<kern_prepared>>
makePrepared(const FunctionInfo &function, size_t given,
             std::shared_ptr<const CallPlan> plan);

} // namespace kern::runtime

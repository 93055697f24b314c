//===- CApiOptions.h - options of compiling in the C interface --*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What options of compiling to a module and to a file have in common.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Checks.h"
#include "kern/compile.h"
#include "runtime/error/LastError.h"

#include <string>

namespace kern::compiler {

inline runtime::Error missing(const char *what) {
  return {KERN_ERROR_ARGUMENT, std::string(what) + " is missing (NULL)"};
}

/// KERN_ERROR_ARGUMENT for values that are none of kern_fp_mode and kern_check.
inline runtime::Status checkMode(const kern_fp_mode &mode, unsigned checks) {
  using runtime::Error;
  if (unsigned value = runtime::rawValue(mode); value > KERN_FP_PRECISE)
    return Error{KERN_ERROR_ARGUMENT,
                 "fp_mode " + std::to_string(value) + " is not a kern_fp_mode"};
  if (unsigned unknown = checks & ~unsigned(KERN_CHECK_ALL))
    return Error{KERN_ERROR_ARGUMENT, "checks has the bits " +
                                          std::to_string(unknown) +
                                          ", which are not kern_check flags"};
  return {};
}

/// Of bits of kern_check.
inline Checks checksOf(unsigned checks) {
  return {(checks & KERN_CHECK_BOUNDS) != 0, (checks & KERN_CHECK_ASSERT) != 0,
          (checks & KERN_CHECK_RESULTS) != 0, (checks & KERN_CHECK_RACES) != 0};
}

} // namespace kern::compiler

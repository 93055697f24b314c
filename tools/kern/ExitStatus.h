//===- ExitStatus.h - what the process returns ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::cli {

enum ExitStatus : int {
  Done = 0,
  Refused = 1,        ///< the input was refused
  WrongLine = 2,      ///< the command line was wrong
  InternalError = 70, ///< a defect in Kern
};

} // namespace kern::cli

//===- Console.h - messages to the person at the terminal -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/kern.h"

#include <string_view>

namespace kern::cli {

/// `kern: error: MESSAGE` on the standard error output, in colours where
/// wantsColours() (DiagnosticColours.h) says so.
void printError(std::string_view message);

/// `kern: warning: MESSAGE`, likewise.
void printWarning(std::string_view message);

/// Diagnostics as the library rendered them, in colours under the same
/// conditions; JSON stays as it is.
void printDiagnostics(std::string_view diagnostics, bool isJson = false);

/// Prints kern_last_error() for a status that is not KERN_OK and returns the
/// exit status for it.
int reportFailure(kern_status status);

/// Flushes the standard output. A failure (a full disk) is reported and turns
/// `status` into 1.
int finishOutput(int status);

} // namespace kern::cli

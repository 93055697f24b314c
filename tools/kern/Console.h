//===- Console.h - messages to the person at the terminal -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/kern.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace kern::cli {

/// The exit status of the process.
enum ExitStatus : int {
  Done = 0,
  Refused = 1,        ///< an error in the input
  WrongLine = 2,      ///< an error in the command line
  InternalError = 70, ///< a defect in Kern
  Interrupted = 130,  ///< by Ctrl-C, as shells have it
};

/// Whether messages are coloured from now on: "always", "never", or "auto" for
/// wantsColours().
void setColours(std::string_view when);

/// `kern: error: MESSAGE` on the standard error output, coloured as
/// setColours() says.
void printError(std::string_view message);

/// `kern: warning: MESSAGE`, likewise.
void printWarning(std::string_view message);

/// Prints diagnostics that the library rendered, coloured likewise unless they
/// are for programs.
void printDiagnostics(std::string_view diagnostics, bool forPrograms = false);

/// Prints kern_last_error() for a status that is not KERN_OK and returns the
/// exit status for it.
int reportFailure(kern_status status);

/// Flushes the standard output. A failure (a full disk) is reported and turns
/// `status` into 1.
int finishOutput(int status);

/// "; did you mean 'compile'?" if a candidate is similar, else "".
std::string suggestion(std::string_view name,
                       std::span<const std::string> candidates);

/// Whether messages are coloured (bixense.com/clicolors): never with NO_COLOR;
/// else always with CLICOLOR_FORCE; else on a terminal, unless CLICOLOR is 0.
/// Empty variables, and a CLICOLOR_FORCE of 0, count as not set. `environment`
/// gives a variable's value, or NULL.
bool wantsColours(const std::function<const char *(const char *)> &environment,
                  bool isTerminal);

/// Rendered diagnostics with ANSI colours: the severity, its message and the
/// place before it, the underline, and the words `note` and `help`. Other text
/// is returned unchanged.
std::string coloured(std::string_view diagnostics);

/// Words with a separator between them.
std::string joined(std::span<const std::string> words,
                   std::string_view separator);

} // namespace kern::cli

//===- Console.cpp - messages to the person at the terminal ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Console.h"

#include "compiler/diagnostics/Diagnostics.h"
#include "runtime/error/NearestName.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace kern::cli {
namespace {

/// The value of --color, for the whole process.
std::string &colourChoice() {
  static std::string choice = "auto";
  return choice;
}

/// Whether the standard error output is coloured.
bool wantsColours() {
  if (colourChoice() != "auto")
    return colourChoice() == "always";
  return cli::wantsColours(
      [](const char *name) -> const char * { return std::getenv(name); },
      isatty(STDERR_FILENO));
}

void printOnStderr(std::string_view text) {
  std::string line(text);
  if (!line.empty() && line.back() != '\n')
    line += '\n';
  std::fflush(stdout);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace

void setColours(std::string_view when) { colourChoice() = when; }

void printError(std::string_view message) {
  const std::string line = "kern: error: " + std::string(message);
  printOnStderr(wantsColours() ? coloured(line) : line);
}

void printWarning(std::string_view message) {
  const std::string line = "kern: warning: " + std::string(message);
  printOnStderr(wantsColours() ? coloured(line) : line);
}

void printDiagnostics(std::string_view diagnostics, bool forPrograms) {
  if (!forPrograms && wantsColours())
    printOnStderr(coloured(diagnostics));
  else
    printOnStderr(diagnostics);
}

int reportFailure(kern_status status) {
  if (status == KERN_OK)
    return Done;
  const std::string message = kern_last_error();
  if (status == KERN_ERROR_COMPILE)
    printDiagnostics(message);
  else
    printError(message);
  return status == KERN_ERROR_INTERNAL    ? InternalError
         : status == KERN_ERROR_CANCELLED ? Interrupted
                                          : Refused;
}

int finishOutput(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status;
  printError("cannot write to the standard output: " +
             std::string(errno ? std::strerror(errno) : "input/output error"));
  return status == Done ? int(Refused) : status;
}

std::string suggestion(std::string_view name,
                       std::span<const std::string> candidates) {
  const std::string_view near =
      runtime::nearestName(name, {candidates.begin(), candidates.end()});
  return near.empty() ? "" : "; did you mean '" + std::string(near) + "'?";
}

std::string joined(std::span<const std::string> words,
                   std::string_view separator) {
  std::string text;
  for (const std::string &word : words)
    text.append(text.empty() ? "" : separator).append(word);
  return text;
}

} // namespace kern::cli

//===- SharedOptions.h - options that several verbs have --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/compile.h"
#include "runtime/error/Expected.h"
#include "tools/kern/Build.h"
#include "tools/kern/CommandLine.h"

namespace kern::cli {

/// --fp-mode and --check.
void declareCompileOptions(CommandLine &line);
/// Fills `options`. Returns an exit status for a word that is not a check.
std::optional<int> readCompileOptions(const CommandLine &line,
                                      kern_compile_options &options);

/// --deny-warnings.
void declareDenyWarnings(CommandLine &line);
inline bool deniesWarnings(const CommandLine &line) {
  return line.has("deny-warnings");
}

/// --diagnostics and --deny-warnings.
void declareReportOptions(CommandLine &line);
void readReportOptions(const CommandLine &line, BuildOptions &options);

/// -I and, with `hasStream`, --stdin-filename.
void declareSourceOptions(CommandLine &line, bool hasStream = true);
/// Passes the folders of -I to the compiler, in order. Fails as
/// refuseStreams().
std::optional<int> readSourceOptions(const CommandLine &line);
/// An exit status if the standard input is an operand twice, or has a name but
/// is not an operand.
std::optional<int> refuseStreams(const CommandLine &line);

/// The name of the standard input in messages: --stdin-filename, or `<stdin>`.
std::string streamName(const CommandLine &line);
/// The source that an operand names; "-" is read. KERN_ERROR_IO if that fails;
/// a file is not looked at.
runtime::Expected<SourceInput> sourceInput(const CommandLine &line,
                                           const std::string &operand);

} // namespace kern::cli

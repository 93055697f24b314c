//===- SharedOptions.h - options that several verbs have --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/Driver.h"
#include "kern/compile.h"
#include "runtime/error/Expected.h"
#include "tools/kern/CommandLine.h"

namespace kern::cli {

/// --fp-mode and --check.
void declareCompileOptions(CommandLine &line);
/// Fills `options`; an exit status after a word that is no check.
std::optional<int> readCompileOptions(const CommandLine &line,
                                      kern_compile_options &options);

/// --deny-warnings.
void declareDenyWarnings(CommandLine &line);
inline bool deniesWarnings(const CommandLine &line) {
  return line.has("deny-warnings");
}

/// --diagnostics and --deny-warnings.
void declareReportOptions(CommandLine &line);
compiler::ReportOptions readReportOptions(const CommandLine &line);

/// -I and, with `hasStream`, --stdin-filename.
void declareSourceOptions(CommandLine &line, bool hasStream = true);
/// Tells the compiler of the folders of -I, in the order in which they were
/// given. Fails as refuseStreams().
std::optional<int> readSourceOptions(const CommandLine &line);
/// An exit status where the line has the standard input twice, or only a name
/// for it.
std::optional<int> refuseStreams(const CommandLine &line);

/// What messages call the standard input: --stdin-filename, or `<stdin>`.
std::string streamName(const CommandLine &line);
/// The source that an operand names; "-" is read. KERN_ERROR_IO if that fails;
/// a file is not looked at.
runtime::Expected<compiler::SourceInput>
sourceInput(const CommandLine &line, const std::string &operand);

} // namespace kern::cli

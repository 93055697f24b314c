//===- Fmt.cpp - kern fmt -------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Difference.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/OutputFile.h"
#include "tools/kern/SourceFiles.h"
#include "tools/kern/TextFile.h"
#include "tools/kern/Verb.h"

#include "compiler/syntax/format/Format.h"

#include <algorithm>
#include <cstdio>

namespace kern::cli {
namespace {

/// The canonical form of a text; nothing when it has errors, which are
/// reported.
std::optional<std::string> formatted(const std::string &path,
                                     const std::string &text) {
  SourceManager sources;
  const uint32_t file =
      sources.add(path == "-" ? "standard input" : path, text);
  DiagnosticEngine diagnostics(sources);
  std::optional<std::string> result = syntax::format(file, diagnostics);
  if (!result)
    printDiagnostics(diagnostics.renderText());
  return result;
}

int formatFile(const std::string &path, bool onlyChecks, unsigned &changed) {
  Expected<std::string> text = readText(path);
  if (!text) {
    printError(text.error().message);
    return Refused;
  }
  std::optional<std::string> result = formatted(path, *text);
  if (!result)
    return Refused;
  const bool isStream = path == "-";
  const bool differs = *result != *text;
  changed += differs;
  if (onlyChecks) {
    if (differs)
      std::printf("--- %s\n+++ %s, formatted\n%s", path.c_str(), path.c_str(),
                  lineDifference(*text, *result).c_str());
    return differs ? Refused : Done;
  }
  if (!isStream && !differs)
    return Done;
  OutputFile file(path);
  Status status = file.write(*result);
  if (status)
    status = file.commit();
  if (!status) {
    printError(status.error().message);
    return Refused;
  }
  if (!isStream)
    std::printf("formatted %s\n", path.c_str());
  return Done;
}

} // namespace

int runFmt(const std::vector<std::string> &arguments) {
  CommandLine line(
      "fmt", "F.kern|FOLDER…|-",
      "Puts .kern files into their canonical form, in place; - reads the "
      "standard input and\nwrites to the standard output. What a file means "
      "does not change. A folder stands for\nall .kern files below it.");
  line.options()("check", "Write nothing: show what would change, and return "
                          "1 if something would");
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  if (line.operands().empty())
    return line.refuse("which file is to be formatted?");
  int status = Done;
  unsigned changed = 0;
  for (const std::string &operand : line.operands()) {
    Expected<std::vector<std::string>> files = sourceFiles(operand);
    if (!files) {
      printError(files.error().message);
      status = std::max(status, int(Refused));
      continue;
    }
    for (const std::string &path : *files)
      status = std::max(status, formatFile(path, line.has("check"), changed));
  }
  if (line.has("check") && changed) {
    std::fflush(stdout);
    std::fprintf(stderr, "%u %s to be formatted\n", changed,
                 changed == 1 ? "file has" : "files have");
  }
  return finishOutput(status);
}

} // namespace kern::cli

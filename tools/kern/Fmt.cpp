//===- Fmt.cpp - kern fmt -------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/Difference.h"
#include "tools/kern/OutputFile.h"
#include "tools/kern/SharedOptions.h"
#include "tools/kern/SourceFiles.h"
#include "tools/kern/Verb.h"

#include "compiler/syntax/format/Format.h"

#include <algorithm>
#include <cstdio>

namespace kern::cli {

using runtime::Expected;

namespace {

/// Formats sources one after the other.
class Formatter {
public:
  explicit Formatter(const CommandLine &line)
      : line(line), onlyChecks(line.has("check")) {}

  void formatOperand(const std::string &operand);
  int status() const { return worst; }
  /// How many files would change, with --check.
  size_t changed() const { return changes; }

private:
  int format(const std::string &path);
  int put(const std::string &path, const std::string &text);

  const CommandLine &line;
  const bool onlyChecks;
  int worst = Done;
  size_t changes = 0;
};

/// The canonical form of a text; nothing when it has errors, which are
/// reported.
std::optional<std::string> formatted(const std::string &name,
                                     const std::string &text) {
  compiler::SourceManager sources;
  const uint32_t file = sources.add(name, text);
  compiler::DiagnosticEngine diagnostics(sources);
  std::optional<std::string> result =
      compiler::syntax::format(file, diagnostics);
  if (!result)
    printDiagnostics(diagnostics.renderText());
  return result;
}

int Formatter::put(const std::string &path, const std::string &text) {
  OutputFile file(path);
  runtime::Status status = file.write(text);
  if (status)
    status = file.commit();
  if (status)
    return Done;
  printError(status.error().message);
  return Refused;
}

int Formatter::format(const std::string &path) {
  Expected<std::string> text = readText(path);
  if (!text) {
    printError(text.error().message);
    return Refused;
  }
  const bool isStream = path == "-";
  const std::string name = isStream ? streamName(line) : path;
  std::optional<std::string> result = formatted(name, *text);
  if (!result)
    return Refused;
  const bool differs = *result != *text;
  if (onlyChecks) {
    changes += differs;
    if (differs && !line.isQuiet())
      std::printf("--- %s\n+++ %s, formatted\n%s", name.c_str(), name.c_str(),
                  lineDifference(*text, *result).c_str());
    return differs ? Refused : Done;
  }
  if (!isStream && !differs)
    return Done;
  const int status = put(path, *result);
  if (status == Done && !isStream && !line.isQuiet())
    std::printf("formatted %s\n", path.c_str());
  return status;
}

void Formatter::formatOperand(const std::string &operand) {
  Expected<std::vector<std::string>> files = sourceFiles(operand);
  if (!files) {
    printError(files.error().message);
    worst = std::max(worst, int(Refused));
    return;
  }
  for (const std::string &path : *files)
    worst = std::max(worst, format(path));
}

void declare(CommandLine &line) {
  line.add({"check", "Write nothing: show what would change, and return 1 if "
                     "anything would"});
  line.add(
      {"stdin-filename", "What diagnostics call the standard input", "FILE"});
}

int run(const CommandLine &line) {
  if (std::optional<int> status = refuseStreams(line))
    return *status;
  if (line.operands().empty())
    return line.refuse("name a file to format");
  Formatter formatter(line);
  for (const std::string &operand : line.operands())
    formatter.formatOperand(operand);
  if (formatter.changed() && !line.isQuiet()) {
    std::fflush(stdout);
    std::fprintf(stderr, "%zu %s to be formatted\n", formatter.changed(),
                 formatter.changed() == 1 ? "file has" : "files have");
  }
  return finishOutput(formatter.status());
}

} // namespace

const Verb fmtVerb = {
    "fmt",
    "F.kern|FOLDER…|-",
    "put .kern files into their canonical form",
    "Puts .kern files into their canonical form, in place; - reads the "
    "standard input and writes to the standard output. What a file means does "
    "not change. A folder stands for all .kern files below it.",
    declare,
    run};

} // namespace kern::cli

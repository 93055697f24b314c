//===- Check.cpp - kern check ---------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Build.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/SharedOptions.h"
#include "tools/kern/SourceFiles.h"
#include "tools/kern/Verb.h"

#include "compiler/diagnostics/Diagnostics.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <cstdio>

namespace kern::cli {

using runtime::Expected;

namespace {

/// Checks sources one after the other and sums up what was found.
class Checker {
public:
  Checker(const CommandLine &line, const BuildOptions &options)
      : line(line), options(options) {}

  void checkOperand(const std::string &operand);
  int status() const { return worst; }
  /// "Checked 12 files: 2 errors, 1 warning".
  std::string summary() const;
  /// Whether there was more to check than one file that was named.
  bool hasSummary() const { return isFolder || line.operands().size() > 1; }

private:
  void check(const std::string &path);
  void reportUnreadable(const std::string &message);

  const CommandLine &line;
  const BuildOptions &options;
  int worst = Done;
  bool isFolder = false;
  size_t files = 0, errors = 0, warnings = 0;
};

static compiler::DiagnosticForm formOf(const BuildOptions &options) {
  switch (options.rest.report) {
  case KERN_REPORT_TEXT:
    break;
  case KERN_REPORT_JSON:
    return compiler::DiagnosticForm::Json;
  case KERN_REPORT_GITHUB:
    return compiler::DiagnosticForm::GitHub;
  }
  return compiler::DiagnosticForm::Text;
}

/// As kern_check_file() reports a file that cannot be read.
void Checker::reportUnreadable(const std::string &message) {
  const compiler::SourceManager none;
  compiler::DiagnosticEngine diagnostics(none);
  diagnostics.report(compiler::Diag::unreadable_file, compiler::Span{},
                     {message});
  printDiagnostics(diagnostics.render(formOf(options)),
                   options.isForPrograms());
  worst = std::max(worst, int(Refused));
  ++errors;
}

void Checker::check(const std::string &path) {
  Expected<SourceInput> input = sourceInput(line, path);
  if (!input)
    return reportUnreadable(input.error().message);
  const Build build = Build::checked(*input, options);
  ++files;
  errors += build->error_count;
  warnings += build->warning_count;
  worst = std::max(worst, build.print());
}

void Checker::checkOperand(const std::string &operand) {
  isFolder |= isDirectory(operand);
  Expected<std::vector<std::string>> paths = sourceFiles(operand);
  if (!paths)
    return reportUnreadable(paths.error().message);
  for (const std::string &path : *paths)
    check(path);
}

std::string Checker::summary() const {
  return "Checked " + runtime::counted(files, "file") + ": " +
         (errors ? runtime::counted(errors, "error") : "no errors") +
         (warnings ? ", " + runtime::counted(warnings, "warning") : "");
}

void declare(CommandLine &line) {
  declareReportOptions(line);
  line.add({"remarks", "Report also what makes functions slow, and how to fix "
                       "it"});
  declareSourceOptions(line);
}

int run(const CommandLine &line) {
  if (std::optional<int> status = readSourceOptions(line))
    return *status;
  if (line.operands().empty())
    return line.refuse("name a file to check");
  BuildOptions options;
  readReportOptions(line, options);
  options.rest.remarks = line.has("remarks");
  Checker checker(line, options);
  for (const std::string &operand : line.operands())
    checker.checkOperand(operand);
  // Programs read one diagnostic a line.
  if (checker.hasSummary() && !line.isQuiet() && !options.isForPrograms())
    std::fprintf(stderr, "%s\n", checker.summary().c_str());
  return checker.status();
}

} // namespace

const Verb checkVerb = {
    "check",
    "F.kern|FOLDER…|-",
    "report what is wrong in .kern files",
    "Reports what is wrong in .kern files, on the standard error output, and "
    "writes nothing. A folder stands for all .kern files below it, - for the "
    "standard input.",
    declare,
    run};

} // namespace kern::cli

//===- Check.cpp - kern check ---------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/DiagnosticsOption.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/IncludeOption.h"
#include "tools/kern/SourceFiles.h"
#include "tools/kern/Verb.h"

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/driver/Driver.h"

#include <algorithm>

namespace kern::cli {

/// As checkFile() reports a file that cannot be read.
static void printUnreadable(const std::string &message, bool json) {
  const SourceManager none;
  DiagnosticEngine diagnostics(none);
  diagnostics.report(Diag::unreadable_file, Span{}, {message});
  printDiagnostics(json ? diagnostics.renderJson() : diagnostics.renderText(),
                   json);
}

int runCheck(const std::vector<std::string> &arguments) {
  CommandLine line("check", "F.kern|FOLDER…",
                   "Reports what is wrong in .kern files, on the standard "
                   "error output, and writes\nnothing. A folder stands for "
                   "all .kern files below it.");
  declareDiagnosticsOption(line);
  line.options()("remarks", "Also tell what makes functions slow, and how that "
                            "is mended");
  declareIncludeOption(line);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  applyIncludeOption(line);
  CheckOptions options;
  if (std::optional<int> status = readDiagnosticsOption(line, options.json))
    return *status;
  if (line.operands().empty())
    return line.refuse("which file is to be checked?");
  options.remarks = line.has("remarks");

  int status = Done;
  for (const std::string &operand : line.operands()) {
    Expected<std::vector<std::string>> files = sourceFiles(operand);
    if (!files) {
      printUnreadable(files.error().message, options.json);
      status = std::max(status, int(Refused));
      continue;
    }
    for (const std::string &path : *files) {
      const CompileResult result = checkFile(path, options);
      printDiagnostics(result.diagnostics, options.json);
      if (!result.ok)
        status =
            std::max(status, int(result.isInternal ? InternalError : Refused));
    }
  }
  return status;
}

} // namespace kern::cli

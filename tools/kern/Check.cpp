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
#include "tools/kern/Verb.h"

#include "compiler/driver/Driver.h"

#include <algorithm>

namespace kern::cli {

int runCheck(const std::vector<std::string> &arguments) {
  CommandLine line("check", "F.kern…",
                   "Reports what is wrong in .kern files, on the standard "
                   "error output, and writes nothing.");
  declareDiagnosticsOption(line);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  bool json = false;
  if (std::optional<int> status = readDiagnosticsOption(line, json))
    return *status;
  if (line.operands().empty())
    return line.refuse("which file is to be checked?");

  int status = Done;
  for (const std::string &path : line.operands()) {
    const CompileResult result = checkFile(path, json);
    printDiagnostics(result.diagnostics, json);
    if (!result.ok)
      status =
          std::max(status, int(result.isInternal ? InternalError : Refused));
  }
  return status;
}

} // namespace kern::cli

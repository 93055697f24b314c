//===- Info.cpp - kern info -----------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/IncludeOption.h"
#include "tools/kern/ManifestText.h"
#include "tools/kern/Module.h"
#include "tools/kern/Verb.h"

#include <cstdio>

namespace kern::cli {

int runInfo(const std::vector<std::string> &arguments) {
  CommandLine line("info", "F.kern|F.ptx",
                   "Shows the functions of a file: NumPy's form of their "
                   "signatures and loops, and of a\ncompiled file also the "
                   "target and the kernels.");
  declareIncludeOption(line);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  applyIncludeOption(line);
  if (line.operands().size() != 1)
    return line.refuse(line.operands().empty()
                           ? "which file is to be shown?"
                           : "one file at a time: what is '" +
                                 line.operands()[1] + "'?");
  const std::string &path = line.operands()[0];
  Module module;
  if (std::optional<int> status = openModule(path, module))
    return *status;
  Expected<Manifest> manifest =
      manifestFromJson(kern_module_manifest(module.get()));
  if (!manifest) {
    printError(manifest.error().message);
    return InternalError;
  }
  std::fputs(manifestText(*manifest, isCompiled(path)).c_str(), stdout);
  return finishOutput(Done);
}

} // namespace kern::cli

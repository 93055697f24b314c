//===- Info.cpp - kern info -----------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Build.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/ManifestText.h"
#include "tools/kern/Module.h"
#include "tools/kern/SharedOptions.h"
#include "tools/kern/Stage.h"
#include "tools/kern/Verb.h"

#include <cstdio>

namespace kern::cli {

using runtime::Expected;
using runtime::Manifest;

namespace {

void declare(CommandLine &line) {
  line.add({"kernels", "For a source too, show each form of its kernels on a "
                       "GPU, how wide each operand is read or written in it, "
                       "and why not wider"});
  line.add({"target",
            "With --kernels: the GPU; otherwise this machine's, or sm_75",
            "sm_NN", gpuNames()});
  line.add({"signature",
            "With --kernels: only this loop, or this loop of a generic "
            "function, as for kern compile",
            "S"});
  line.add({"json", "Print one JSON object"});
  declareSourceOptions(line);
}

/// The contents of a file compiled from this source with all forms; kernels for
/// disjoint operands are as wide as the others. Returns the exit status if it
/// cannot be compiled.
std::optional<int> compileManifest(const CommandLine &line,
                                   const SourceInput &input,
                                   Manifest &manifest) {
  BuildOptions options;
  options.emit = "manifest";
  options.rest.all_forms = 1;
  options.signatures = line.values("signature");
  if (line.has("target")) {
    const std::string target = line.value("target", "");
    if (!computeCapability(target))
      return line.refuse("'" + target +
                         "' is not a GPU that is compiled for "
                         "(there are: " +
                         gpuList() + ")");
    options.target = target;
  }
  const Build build = Build::compiled(input, options);
  if (int status = build.print(); status != Done)
    return status;
  Expected<Manifest> read = runtime::manifestFromJson(build->output);
  if (!read) {
    printError(read.error().message);
    return InternalError;
  }
  manifest = std::move(*read);
  for (runtime::FunctionInfo &function : manifest.functions)
    for (runtime::LoopInfo &loop : function.loops)
      std::erase_if(loop.kernels,
                    [](const runtime::KernelInfo &k) { return k.disjoint; });
  return std::nullopt;
}

/// The description in a module. Returns the exit status if it cannot be opened.
std::optional<int> readManifest(const CommandLine &line,
                                const std::string &path, Manifest &manifest) {
  Module module;
  if (std::optional<int> status = openModule(line, path, {}, module))
    return status;
  Expected<Manifest> read =
      runtime::manifestFromJson(kern_module_manifest(module.get()));
  if (!read) {
    printError(read.error().message);
    return InternalError;
  }
  manifest = std::move(*read);
  return std::nullopt;
}

int run(const CommandLine &line) {
  if (std::optional<int> status = readSourceOptions(line))
    return *status;
  if (line.operands().size() != 1)
    return line.refuse(line.operands().empty()
                           ? "name a file to show"
                           : "one file at a time: unexpected operand '" +
                                 line.operands()[1] + "'");
  const std::string &path = line.operands()[0];
  if (!line.has("kernels") && (line.has("target") || line.has("signature")))
    return line.refuse("--target and --signature are for --kernels");
  const bool isMade =
      line.has("kernels") && (path == "-" || path.ends_with(".kern"));
  Manifest manifest;
  if (isMade) {
    Expected<SourceInput> input = sourceInput(line, path);
    if (!input) {
      printError(input.error().message);
      return Refused;
    }
    if (std::optional<int> status = compileManifest(line, *input, manifest))
      return *status;
  } else if (std::optional<int> status = readManifest(line, path, manifest)) {
    return *status;
  }
  const bool kernels = isMade || isCompiled(path);
  std::fputs((line.has("json") ? manifestJson(manifest, kernels)
                               : manifestText(manifest, kernels))
                 .c_str(),
             stdout);
  return finishOutput(Done);
}

} // namespace

const Verb infoVerb = {
    "info",
    "F.kern|F.ptx|-",
    "show the signatures and loops of a .kern or .ptx file",
    "Shows the functions of a file with their signatures and loops in NumPy's "
    "form; for a compiled file also the target and the kernels. --kernels "
    "shows these for a source too.",
    declare,
    run};

} // namespace kern::cli

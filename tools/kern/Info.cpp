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
#include "tools/kern/Stage.h"
#include "tools/kern/Verb.h"

#include "compiler/driver/Driver.h"

#include <cstdio>

namespace kern::cli {
namespace {

void declareOptions(CommandLine &line) {
  using Texts = std::vector<std::string>;
  line.options()("kernels",
                 "Of a source too: every form that its kernels have on a GPU, "
                 "how wide each operand is read or written in it, and what "
                 "keeps it from more");
  line.options()("target",
                 "With --kernels: the GPU; otherwise this machine's, or sm_75",
                 cxxopts::value<Texts>(), "sm_NN");
  line.options()("signature",
                 "With --kernels: of this loop only, or of this loop of a "
                 "generic function, as kern compile has it",
                 cxxopts::value<Texts>(), "S");
}

/// What a file that is compiled from this source with all forms would hold;
/// kernels for disjoint operands are as wide as the others. Returns the exit
/// status if it cannot be made.
std::optional<int> compileManifest(const CommandLine &line,
                                   const std::string &path,
                                   Manifest &manifest) {
  CompileOptions options;
  options.emit = "manifest";
  options.allForms = true;
  options.signatures = line.values("signature");
  if (line.has("target")) {
    const std::string target = line.value("target", "");
    const std::optional<int> capability = computeCapability(target);
    if (!capability)
      return line.refuse("'" + target +
                         "' is no GPU that is compiled for "
                         "(there are: " +
                         gpuList() + ")");
    options.computeCapability = *capability;
  }
  const CompileResult result = compileFile(path, options);
  printDiagnostics(result.diagnostics);
  if (!result.ok)
    return result.isInternal ? InternalError : Refused;
  Expected<Manifest> read = manifestFromJson(result.output);
  if (!read) {
    printError(read.error().message);
    return InternalError;
  }
  manifest = std::move(*read);
  for (FunctionInfo &function : manifest.functions)
    for (LoopInfo &loop : function.loops)
      std::erase_if(loop.kernels,
                    [](const KernelInfo &k) { return k.disjoint; });
  return std::nullopt;
}

} // namespace

int runInfo(const std::vector<std::string> &arguments) {
  CommandLine line("info", "F.kern|F.ptx",
                   "Shows the functions of a file: NumPy's form of their "
                   "signatures and loops, and of a\ncompiled file also the "
                   "target and the kernels. --kernels says the same of a "
                   "source.");
  declareOptions(line);
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
  if (!line.has("kernels") && (line.has("target") || line.has("signature")))
    return line.refuse("--target and --signature are for --kernels");
  if (line.has("kernels") && path.ends_with(".kern")) {
    Manifest manifest;
    if (std::optional<int> status = compileManifest(line, path, manifest))
      return *status;
    std::fputs(manifestText(manifest, true).c_str(), stdout);
    return finishOutput(Done);
  }
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

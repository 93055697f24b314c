//===- Compile.cpp - kern compile -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/CheckOption.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/DiagnosticsOption.h"
#include "tools/kern/ExitStatus.h"
#include "tools/kern/FpModeOption.h"
#include "tools/kern/IncludeOption.h"
#include "tools/kern/OutputFile.h"
#include "tools/kern/SourceFiles.h"
#include "tools/kern/Stage.h"
#include "tools/kern/Suggestion.h"
#include "tools/kern/Verb.h"

#include "compiler/driver/Driver.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace kern::cli {
namespace {

void declareOptions(CommandLine &line) {
  using Texts = std::vector<std::string>;
  const auto text = [] { return cxxopts::value<Texts>(); };
  line.options()("o,output", "Where to write; - is the standard output", text(),
                 "FILE");
  line.options()("target",
                 "The GPU to compile for; otherwise this machine's, or sm_75. "
                 "Of obj, header, asm and host-llvm the level of CPUs, as "
                 "x86-64-v3; otherwise this machine's",
                 text(), "sm_NN");
  line.options()("signature",
                 "Compile this loop only, or this loop of a generic function: "
                 "\"f32(f32, f32)\" or \"hypot: f32(f32, f32)\"; can be "
                 "repeated",
                 text(), "S");
  line.options()("forms",
                 "Kernels of each loop of a ufunc: standard (contiguous and "
                 "strided, which serve every layout) or all (each layout's "
                 "fastest)",
                 text(), "FORMS");
  line.options()("emit",
                 "What to write: " + stageList() +
                     "; several with commas between them",
                 text(), "STAGE");
  line.options()("name",
                 "What obj and header are called instead of F: NAME.o and "
                 "NAME.h, and NAME_kern in C",
                 text(), "NAME");
  line.options()("timing", "Say where the time went");
  declareFpModeOption(line);
  declareCheckOption(line);
  declareDiagnosticsOption(line);
}

/// `F.ptx` in the current folder for `path/F.kern`.
std::string defaultOutput(const std::string &input, const Stage &stage,
                          const CompileOptions &options) {
  const std::string name = options.name.empty()
                               ? std::filesystem::path(input).stem().string()
                               : options.name;
  return name + std::string(stage.extension);
}

/// Sets what --name says. Returns the exit status if that is no name in C that
/// is free, or is asked for what has none.
std::optional<int> readName(const CommandLine &line,
                            const std::vector<const Stage *> &stages,
                            CompileOptions &options) {
  if (!line.has("name"))
    return std::nullopt;
  options.name = line.value("name", "");
  for (const Stage *stage : stages)
    if (stage->name != "obj" && stage->name != "header")
      return line.refuse("--name is for --emit obj and header, not " +
                         std::string(stage->name));
  const auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto isInName = [&](char c) {
    return isLetter(c) || (c >= '0' && c <= '9') || c == '_';
  };
  if (options.name.empty() || !isLetter(options.name[0]) ||
      !std::all_of(options.name.begin(), options.name.end(), isInName))
    return line.refuse("--name '" + options.name +
                       "' is no name for C: a letter, and then letters, "
                       "digits and _");
  return std::nullopt;
}

/// The stages of --emit, in order. Returns the exit status if one is unknown.
std::optional<int> readStages(const CommandLine &line,
                              std::vector<const Stage *> &stages) {
  const std::string list = line.value("emit", "ptx");
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const Stage *stage = stageNamed(name);
    if (!stage)
      return line.refuse("unknown stage '" + name + "'" +
                         suggestion(name, stageNames()) +
                         " (there are: " + stageList() + ")");
    stages.push_back(stage);
    begin = end + 1;
  }
  if (stages.size() > 1 && line.has("output"))
    return line.refuse("-o names one file, but --emit asks for " +
                       std::to_string(stages.size()));
  for (const std::string &path : line.values("output"))
    if (std::string why = misnamed(*stages.front(), path); !why.empty())
      return line.refuse("'" + path + "' is no name for the output: " + why);
  return std::nullopt;
}

/// Sets what --target names. Returns the exit status if it names nothing that
/// the stages can be made for.
std::optional<int> readTarget(const CommandLine &line,
                              const std::vector<const Stage *> &stages,
                              CompileOptions &options) {
  if (!line.has("target"))
    return std::nullopt;
  const std::string target = line.value("target", "");
  const std::optional<int> capability = computeCapability(target);
  const bool isCpu = isCpuLevel(target);
  if (!capability && !isCpu)
    return line.refuse("unknown target '" + target +
                       "' (there are: " + targetList() + ")");
  for (const Stage *stage : stages)
    if (stage->isForCpu != isCpu)
      return line.refuse("'" + target + "' is a " + (isCpu ? "CPU" : "GPU") +
                         ", and --emit " + std::string(stage->name) +
                         " is for " + (isCpu ? "GPUs" : "CPUs"));
  options.computeCapability = capability.value_or(0);
  if (isCpu)
    options.level = target;
  return std::nullopt;
}

/// Makes one stage and puts it in place.
int emit(const Stage &stage, const std::string &input, const std::string &path,
         CompileOptions &options, bool isFirst) {
  if (isSameFile(input, path)) {
    printError("the output '" + path + "' is the input itself");
    return Refused;
  }
  options.emit = std::string(stage.name);
  const CompileResult result = compileFile(input, options);
  if (isFirst)
    printDiagnostics(result.diagnostics, options.json);
  std::fputs(result.timing.c_str(), stderr);
  if (!result.ok)
    return result.isInternal ? InternalError : Refused;

  OutputFile output(path);
  Status written = output.write(result.output);
  if (written)
    written = output.commit();
  if (written)
    return Done;
  printError(written.error().message);
  return Refused;
}

} // namespace

int runCompile(const std::vector<std::string> &arguments) {
  CommandLine line("compile", "F.kern",
                   "Compiles all loops of all functions of a .kern file into "
                   "one PTX file that\ndescribes itself, F.ptx in the current "
                   "folder. --emit obj,header makes code for\nCPUs to link "
                   "into a program; other stages are there to be looked at.");
  declareOptions(line);
  declareIncludeOption(line);
  if (std::optional<int> status = line.parse(arguments))
    return *status;
  applyIncludeOption(line);

  CompileOptions options;
  if (std::optional<int> status = readDiagnosticsOption(line, options.json))
    return *status;
  kern_compile_options mode{};
  if (std::optional<int> status = readFpModeOption(line, mode))
    return *status;
  if (std::optional<int> status = readCheckOption(line, mode))
    return *status;
  options.isPrecise = mode.fp_mode == KERN_FP_PRECISE;
  options.checks = {(mode.checks & KERN_CHECK_BOUNDS) != 0,
                    (mode.checks & KERN_CHECK_ASSERT) != 0,
                    (mode.checks & KERN_CHECK_RESULTS) != 0,
                    (mode.checks & KERN_CHECK_RACES) != 0};
  if (line.operands().empty())
    return line.refuse("which file is to be compiled?");
  if (line.operands().size() > 1)
    return line.refuse("one file at a time: what is '" + line.operands()[1] +
                       "'?");

  const std::string forms = line.value("forms", "standard");
  if (forms != "standard" && forms != "all")
    return line.refuse("unknown forms '" + forms +
                       "' (there are: standard, all)");
  options.allForms = forms == "all";
  options.timing = line.has("timing");
  std::vector<const Stage *> stages;
  if (std::optional<int> status = readStages(line, stages))
    return *status;
  if (std::optional<int> status = readName(line, stages, options))
    return *status;
  options.signatures = line.values("signature");
  if (std::optional<int> status = readTarget(line, stages, options))
    return *status;

  const std::string &input = line.operands()[0];
  if (Status source = checkSource(input); !source) {
    printError(source.error().message);
    return Refused;
  }
  int status = Done;
  for (const Stage *stage : stages) {
    const std::string path =
        line.value("output", defaultOutput(input, *stage, options));
    status = emit(*stage, input, path, options, stage == stages.front());
    if (status != Done)
      break;
  }
  return status;
}

} // namespace kern::cli

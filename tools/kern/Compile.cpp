//===- Compile.cpp - kern compile -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Build.h"
#include "tools/kern/CommandLine.h"
#include "tools/kern/Console.h"
#include "tools/kern/DependencyFile.h"
#include "tools/kern/OutputFile.h"
#include "tools/kern/SharedOptions.h"
#include "tools/kern/SourceFiles.h"
#include "tools/kern/Stage.h"
#include "tools/kern/Verb.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

namespace kern::cli {

using compiler::Stage;
using compiler::StageInfo;
using runtime::Expected;
using runtime::Status;

namespace {

namespace fs = std::filesystem;
using Stages = std::vector<const StageInfo *>;

void declare(CommandLine &line) {
  line.add({"o,output", "Where to write; - is the standard output", "FILE"});
  line.add(
      {"out-dir",
       "The folder to write to instead of the current one; created if missing",
       "FOLDER"});
  line.add({"target",
            "The GPU to compile for; otherwise this machine's, or sm_75. For "
            "obj, header, asm and host-llvm the CPU level, such as x86-64-v3; "
            "otherwise this machine's",
            "sm_NN", targetNames()});
  line.add({"signature",
            "Compile only this loop, or this loop of a generic function: "
            "\"f32(f32, f32)\" or \"hypot: f32(f32, f32)\"; can be repeated",
            "S"});
  line.add({"forms",
            "Kernels of each loop of a ufunc: standard (contiguous and "
            "strided, which serve every layout) or all (the fastest for each "
            "layout)",
            "standard|all"});
  line.add(
      {"emit",
       "What to write: " + stageList() + "; several with commas between them",
       "STAGE", stageNames(), "", true});
  line.add({"name",
            "The name of obj and header, instead of F: NAME.o and NAME.h, and "
            "NAME_kern in C",
            "NAME"});
  line.add({"depfile",
            "Write which source and imported files each output depends on, as "
            "rules for Make and Ninja",
            "FILE"});
  line.add({"timing", "Report the time of each step"});
  declareCompileOptions(line);
  declareReportOptions(line);
  declareSourceOptions(line);
}

/// Where a stage of a source is written: `F.ptx` for `path/F.kern`, in the
/// current folder or that of --out-dir. Of the standard input without a name
/// the standard output.
std::string outputPath(const CommandLine &line, const std::string &operand,
                       const StageInfo &stage) {
  if (line.has("output"))
    return line.value("output", "");
  const bool isStream = operand == "-";
  const bool isNamed = line.has("stdin-filename") || line.has("name");
  if (isStream && !isNamed)
    return "-";
  const std::string source = isStream ? streamName(line) : operand;
  const std::string name = line.value("name", fs::path(source).stem().string());
  return (fs::path(line.value("out-dir", "")) /
          (name + std::string(stage.ending)))
      .string();
}

/// Refuses outputs that cannot all be written, and names whose endings belong
/// to other kinds of files.
std::optional<int> refuseOutputs(const CommandLine &line,
                                 const Stages &stages) {
  const std::vector<std::string> &sources = line.operands();
  if (line.has("output") && line.has("out-dir"))
    return line.refuse("-o names the file to write, --out-dir the folder: give "
                       "one of them");
  if (line.has("output") && stages.size() * sources.size() > 1)
    return line.refuse(
        "-o names one file, but " +
        (sources.size() > 1
             ? "there are " + std::to_string(sources.size()) + " sources"
             : "--emit asks for " + std::to_string(stages.size())) +
        ": --out-dir names the folder for several");
  for (const std::string &path : line.values("output"))
    if (std::string why = misnamed(*stages.front(), path); !why.empty())
      return line.refuse("'" + path + "' is not a name for the output: " + why);
  std::set<std::string> seen;
  for (const std::string &source : sources)
    for (const StageInfo *stage : stages) {
      const std::string path = outputPath(line, source, *stage);
      if (stage->stage == Stage::Header && !line.has("output") &&
          isSystemHeader(fs::path(path).stem().string()))
        return line.refuse("'" + path +
                           "' would hide the system's header of that name from "
                           "programs that search its folder: choose another "
                           "name with --name, or write it with -o");
      if (!seen.insert(path).second)
        return line.refuse(
            path == "-" ? "several stages of the standard input need a name: "
                          "--stdin-filename or --name"
                        : "two outputs would be written to '" + path + "'");
      if (path == "-" && line.has("depfile"))
        return line.refuse("--depfile is for outputs that are files, and this "
                           "is the standard output");
      if (path == "-" && line.has("out-dir"))
        return line.refuse("the output of the standard input has no name: give "
                           "--stdin-filename or --name");
    }
  return std::nullopt;
}

/// Reads --name. Returns the exit status if it is not a usable name in C, or if
/// a stage of --emit has no name.
std::optional<int> readName(const CommandLine &line, const Stages &stages,
                            BuildOptions &options) {
  if (!line.has("name"))
    return std::nullopt;
  options.name = line.value("name", "");
  if (line.operands().size() > 1)
    return line.refuse("--name is for one source, but there are " +
                       std::to_string(line.operands().size()));
  for (const StageInfo *stage : stages)
    if (stage->stage != Stage::Object && stage->stage != Stage::Header)
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
                       "' is not a name for C: a letter, and then letters, "
                       "digits and _");
  return std::nullopt;
}

/// The stages of --emit, in order. Returns the exit status if one is unknown.
std::optional<int> readStages(const CommandLine &line, Stages &stages) {
  const std::string list = line.value("emit", "ptx");
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const StageInfo *stage = compiler::findStage(name);
    if (!stage)
      return line.refuse("unknown stage '" + name + "'" +
                         suggestion(name, stageNames()) +
                         " (there are: " + stageList() + ")");
    if (std::ranges::find(stages, stage) != stages.end())
      return line.refuse("--emit names " + name + " twice");
    stages.push_back(stage);
    begin = end + 1;
  }
  return std::nullopt;
}

/// Reads --target. Returns the exit status if the stages cannot be made for it.
std::optional<int> readTarget(const CommandLine &line, const Stages &stages,
                              BuildOptions &options) {
  if (!line.has("target"))
    return std::nullopt;
  const std::string target = line.value("target", "");
  const std::optional<int> capability = computeCapability(target);
  const bool isCpu = isCpuLevel(target);
  if (!capability && !isCpu)
    return line.refuse("unknown target '" + target +
                       "' (there are: " + targetList() + ")");
  for (const StageInfo *stage : stages)
    if ((stage->target == "host") != isCpu)
      return line.refuse("'" + target + "' is a " + (isCpu ? "CPU" : "GPU") +
                         ", and --emit " + std::string(stage->name) +
                         " is for " + (isCpu ? "GPUs" : "CPUs"));
  options.target = target;
  return std::nullopt;
}

/// The options of every source and stage.
std::optional<int> readOptions(const CommandLine &line, const Stages &stages,
                               BuildOptions &options) {
  readReportOptions(line, options);
  kern_compile_options mode{};
  if (std::optional<int> status = readCompileOptions(line, mode))
    return status;
  options.rest.fp_mode = mode.fp_mode;
  options.rest.checks = mode.checks;
  options.rest.all_forms = line.value("forms", "standard") == "all";
  options.rest.timing = line.has("timing");
  options.signatures = line.values("signature");
  if (std::optional<int> status = readName(line, stages, options))
    return status;
  return readTarget(line, stages, options);
}

/// Makes one stage and puts it in place.
int emit(const StageInfo &stage, const SourceInput &input,
         const std::string &path, BuildOptions &options, bool isFirst,
         DependencyRule &rule) {
  if (!input.text && isSameFile(input.name, path)) {
    printError("the output '" + path + "' is the input itself");
    return Refused;
  }
  options.emit = stage.name;
  const Build build = Build::compiled(input, options);
  // Warnings are the same for each stage.
  if (int status = build.print(isFirst); status != Done)
    return status;

  OutputFile output(path);
  Status written = output.write({build->output, build->length});
  if (written)
    written = output.commit();
  if (!written) {
    printError(written.error().message);
    return Refused;
  }
  rule.targets.push_back(path);
  rule.sources = build.imports();
  return Done;
}

/// Makes all stages of one source.
int compile(const CommandLine &line, const std::string &operand,
            const Stages &stages, BuildOptions &options,
            std::vector<DependencyRule> &rules) {
  Status source = operand == "-" ? Status{} : checkSource(operand);
  if (!source) {
    printError(source.error().message);
    return Refused;
  }
  Expected<SourceInput> input = sourceInput(line, operand);
  if (!input) {
    printError(input.error().message);
    return Refused;
  }
  DependencyRule rule;
  for (const StageInfo *stage : stages) {
    const std::string path = outputPath(line, operand, *stage);
    if (int status =
            emit(*stage, *input, path, options, stage == stages.front(), rule);
        status != Done)
      return status;
  }
  if (!input->text)
    rule.sources.insert(rule.sources.begin(), input->name);
  rules.push_back(std::move(rule));
  return Done;
}

/// Makes the folder of --out-dir.
Status makeFolder(const CommandLine &line) {
  const std::string folder = line.value("out-dir", "");
  std::error_code error;
  if (!folder.empty())
    fs::create_directories(folder, error);
  if (error)
    return runtime::Error{KERN_ERROR_IO, "cannot make the folder '" + folder +
                                             "': " + error.message()};
  return {};
}

Status writeRules(const std::string &path,
                  const std::vector<DependencyRule> &rules) {
  Expected<std::string> text = dependencyText(rules);
  if (!text)
    return text.error();
  OutputFile file(path);
  Status status = file.write(*text);
  return status ? file.commit() : status;
}

int run(const CommandLine &line) {
  if (std::optional<int> status = readSourceOptions(line))
    return *status;
  if (line.operands().empty())
    return line.refuse("name a file to compile");
  Stages stages;
  if (std::optional<int> status = readStages(line, stages))
    return *status;
  BuildOptions options;
  if (std::optional<int> status = readOptions(line, stages, options))
    return *status;
  if (std::optional<int> status = refuseOutputs(line, stages))
    return *status;

  if (Status made = makeFolder(line); !made) {
    printError(made.error().message);
    return Refused;
  }
  int status = Done;
  std::vector<DependencyRule> rules;
  for (const std::string &operand : line.operands())
    status = std::max(status, compile(line, operand, stages, options, rules));
  if (status != Done || !line.has("depfile"))
    return status;
  if (Status written = writeRules(line.value("depfile", ""), rules); !written) {
    printError(written.error().message);
    return Refused;
  }
  return Done;
}

} // namespace

const Verb compileVerb = {
    "compile",
    "F.kern…|-",
    "compile .kern files to PTX, or to code for CPUs",
    "Compiles all loops of all functions of each .kern file into one PTX file "
    "that describes itself, F.ptx in the current folder. --emit obj,header "
    "makes code for CPUs to link into a program; the other stages show how a "
    "source is compiled. - reads the standard input and writes to the standard "
    "output, unless --stdin-filename or --name gives the output a name.",
    declare,
    run};

} // namespace kern::cli

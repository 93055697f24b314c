//===- CApiBuild.cpp - files of compiled code in the C interface ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/CApiOptions.h"
#include "compiler/driver/Driver.h"
#include "compiler/driver/Kernels.h"
#include "compiler/targets/Target.h"
#include "kern/build.h"
#include "runtime/capi/SizedStruct.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kern::compiler;
using namespace kern::runtime;

struct kern_build {
  CompileResult result;
  std::vector<const char *> imports; ///< the texts of the result's
};

static constexpr size_t optionsSizes[] = {sizeof(kern_build_options)};
static constexpr size_t builtSizes[] = {sizeof(kern_built)};
static constexpr StructVersions optionsVersions = {"kern_build_options",
                                                   optionsSizes};
static constexpr StructVersions builtVersions = {"kern_built", builtSizes};

static Error invalid(std::string message) {
  return {KERN_ERROR_ARGUMENT, std::move(message)};
}

/// The caller's options, or the defaults for NULL.
static Expected<kern_build_options>
readBuildOptions(const kern_build_options *given) {
  kern_build_options options = {};
  if (!given)
    return options;
  if (Status status = readSized(optionsVersions, given, &options); !status)
    return status.error();
  if (Status status = checkMode(options.fp_mode, options.checks); !status)
    return status.error();
  if (unsigned form = rawValue(options.report); form > KERN_REPORT_GITHUB)
    return invalid("report " + std::to_string(form) +
                   " is not a kern_report_form");
  if (options.reserved)
    return invalid("kern_build_options.reserved is " +
                   std::to_string(options.reserved) + ", not 0");
  if (!options.signatures && options.signature_count)
    return missing("the array of signatures");
  for (size_t i = 0; i < options.signature_count; ++i)
    if (!options.signatures[i])
      return missing("a signature");
  return options;
}

static ReportOptions reportOptions(const kern_build_options &options) {
  DiagnosticForm form = DiagnosticForm::Text;
  switch (options.report) {
  case KERN_REPORT_TEXT:
    break;
  case KERN_REPORT_JSON:
    form = DiagnosticForm::Json;
    break;
  case KERN_REPORT_GITHUB:
    form = DiagnosticForm::GitHub;
    break;
  }
  return {form, options.deny_warnings != 0};
}

/// The stage that `emit` names, by default PTX.
static Expected<StageInfo> stageOf(const char *emit) {
  const std::string name = emit ? emit : "ptx";
  if (const StageInfo *stage = findStage(name))
    return *stage;
  std::string names;
  for (const StageInfo &stage : stages)
    names += (names.empty() ? "" : ", ") + std::string(stage.name);
  return invalid("emit is '" + name + "', not one of " + names);
}

static Status checkTarget(const StageInfo &stage, const std::string &target) {
  const std::vector<std::string> known = findTarget(stage.target)->archs();
  if (llvm::is_contained(known, target))
    return {};
  return invalid("target is '" + target + "', and '" + std::string(stage.name) +
                 "' can be made for " + llvm::join(known, ", "));
}

static Status checkName(const StageInfo &stage, const std::string &name) {
  if (stage.stage != Stage::Object && stage.stage != Stage::Header)
    return invalid("name is for obj and header, not for '" +
                   std::string(stage.name) + "'");
  if (!isNativeName(name))
    return invalid("name is '" + name +
                   "', which is not a name for C: a letter, and then letters, "
                   "digits and _");
  return {};
}

static Expected<CompileOptions>
compileOptions(const kern_build_options &options) {
  CompileOptions made;
  for (size_t i = 0; i < options.signature_count; ++i)
    made.signatures.emplace_back(options.signatures[i]);
  Expected<StageInfo> stage = stageOf(options.emit);
  if (!stage)
    return stage.error();
  made.emit = *stage;
  if (options.target) {
    made.arch = options.target;
    if (Status status = checkTarget(made.emit, made.arch); !status)
      return status.error();
  }
  if (options.name) {
    made.name = options.name;
    if (Status status = checkName(made.emit, made.name); !status)
      return status.error();
  }
  made.report = reportOptions(options);
  made.timing = options.timing != 0;
  made.isPrecise = options.fp_mode == KERN_FP_PRECISE;
  made.allForms = options.all_forms != 0;
  made.checks = checksOf(options.checks);
  return made;
}

/// Hands a result to the caller.
static Status give(CompileResult result, kern_build **build) {
  auto made = std::make_unique<kern_build>();
  made->result = std::move(result);
  for (const std::string &path : made->result.imports)
    made->imports.push_back(path.c_str());
  made->imports.push_back(nullptr);
  const CompileResult &held = made->result;
  Status status;
  if (held.status != KERN_OK)
    status = Error{held.status, held.diagnostics, held.report};
  *build = made.release();
  return status;
}

static Status compile(const SourceInput &input, const kern_build_options *given,
                      kern_build **build) {
  Expected<kern_build_options> options = readBuildOptions(given);
  if (!options)
    return options.error();
  Expected<CompileOptions> known = compileOptions(*options);
  if (!known)
    return known.error();
  return give(compileFile(input, *known), build);
}

static Status check(const SourceInput &input, const kern_build_options *given,
                    kern_build **build) {
  Expected<kern_build_options> options = readBuildOptions(given);
  if (!options)
    return options.error();
  return give(
      checkFile(input, {reportOptions(*options), options->remarks != 0}),
      build);
}

using Work = Status (*)(const SourceInput &, const kern_build_options *,
                        kern_build **);

static kern_status ofSource(Work work, const char *text, size_t length,
                            const char *name, const kern_build_options *options,
                            kern_build **build) {
  return guarded([&]() -> Status {
    if (!build)
      return missing("the place for the build");
    *build = nullptr;
    if (!text && length)
      return missing("the text");
    return work(
        {name ? name : "<source>", std::string(text ? text : "", length)},
        options, build);
  });
}

static kern_status ofFile(Work work, const char *path,
                          const kern_build_options *options,
                          kern_build **build) {
  return guarded([&]() -> Status {
    if (!build)
      return missing("the place for the build");
    *build = nullptr;
    if (!path)
      return missing("the path");
    return work({path}, options, build);
  });
}

extern "C" kern_status kern_build_source(const char *text, size_t length,
                                         const char *file_name,
                                         const kern_build_options *options,
                                         kern_build **build) {
  return ofSource(compile, text, length, file_name, options, build);
}

extern "C" kern_status kern_build_file(const char *path,
                                       const kern_build_options *options,
                                       kern_build **build) {
  return ofFile(compile, path, options, build);
}

extern "C" kern_status kern_check_source(const char *text, size_t length,
                                         const char *file_name,
                                         const kern_build_options *options,
                                         kern_build **build) {
  return ofSource(check, text, length, file_name, options, build);
}

extern "C" kern_status kern_check_file(const char *path,
                                       const kern_build_options *options,
                                       kern_build **build) {
  return ofFile(check, path, options, build);
}

extern "C" kern_status kern_build_get(const kern_build *build,
                                      kern_built *built) {
  return guarded([&]() -> Status {
    if (!build)
      return missing("the build");
    if (!built)
      return missing("the place for the kern_built");
    if (Status status = checkSizedPlace(builtVersions, built); !status)
      return status;
    const CompileResult &result = build->result;
    kern_built known = {};
    known.output = result.output.c_str();
    known.length = result.output.size();
    known.report = result.diagnostics.c_str();
    known.diagnostics = result.report.get();
    known.error_count = result.counts.errors;
    known.warning_count = result.counts.warnings;
    known.imports = build->imports.data();
    known.import_count = result.imports.size();
    known.timing = result.timing.c_str();
    writeSized(builtVersions, &known, built);
    return {};
  });
}

extern "C" void kern_build_release(kern_build *build) { delete build; }

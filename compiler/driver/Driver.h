//===- Driver.h - compile and check a file -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kern/build.h does with a source.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/lowering/Checks.h"
#include "compiler/targets/Stages.h"
#include "runtime/error/Report.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kern::compiler {

/// A source to compile or check.
struct SourceInput {
  /// Its name in messages. Imported modules are looked up beside it.
  std::string name;
  /// Its text; if absent, that of the file `name`.
  std::optional<std::string> text = {};
};

/// How diagnostics are reported.
struct ReportOptions {
  DiagnosticForm form = DiagnosticForm::Text;
  bool denyWarnings = false; ///< treat warnings as errors
};

struct CompileOptions {
  /// Loops to compile: "f32(f32, f32)", or "NAME:f32(f32, f32)" for one
  /// function. Empty: all declared loops. A generic function needs a signature.
  std::vector<std::string> signatures;
  StageInfo emit = *findStage("ptx");
  /// The architecture for the stage's target: "sm_90", or "x86-64-v3" for all
  /// CPUs of that level. "": this machine's GPU, or sm_75 without one; for obj
  /// and header the highest level that this machine's CPU has; for other CPU
  /// stages this CPU itself.
  std::string arch;
  /// For obj and header: the C name of the code, without the suffix `_kern`.
  /// "": the file's name without folder and extension.
  std::string name;
  ReportOptions report = {};
  /// Whether to return the time of each stage.
  bool timing = false;
  /// Forbids contraction of `a * b + c` and overrides `@fastmath`.
  bool isPrecise = false;
  /// Every form of each kernel, not only contiguous and strided.
  bool allForms = false;
  Checks checks = {};
};

struct CompileResult {
  /// KERN_ERROR_COMPILE for a refused source, KERN_ERROR_INTERNAL for a bug in
  /// Kern, and what readFile() gives for a file that cannot be read.
  kern_status status = KERN_OK;
  std::string output;
  std::string diagnostics; ///< on success too: warnings, remarks
  std::shared_ptr<const kern_diagnostics> report = nullptr; ///< as data
  DiagnosticCounts counts = {};
  std::string timing; ///< the table, if asked for
  /// The imported files, direct and indirect, except the standard library.
  std::vector<std::string> imports = {};
};

/// Compiles a source. An unreadable file is reported as a diagnostic.
CompileResult compileFile(const SourceInput &input,
                          const CompileOptions &options);
struct CheckOptions {
  ReportOptions report = {};
  bool remarks = false; ///< also report what makes functions slow
};
/// Reports the errors and warnings of a source. Produces no output.
CompileResult checkFile(const SourceInput &input, const CheckOptions &options);

class Unit;
/// Adds remarks to a source without errors: what makes its functions with
/// declared loops slow.
void reportRemarks(Unit &unit);

} // namespace kern::compiler

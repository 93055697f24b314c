//===- Driver.h - compile and check a file -------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the command line tool does with a file.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/lowering/Checks.h"
#include "compiler/targets/Stages.h"
#include "runtime/include/kern/kern.h"

#include <optional>
#include <string>
#include <vector>

namespace kern {

/// A source to work on.
struct SourceInput {
  /// What messages call it, and beside which imported modules are looked for.
  std::string name;
  /// Its text; without one that of the file `name`.
  std::optional<std::string> text = {};
};

/// How diagnostics are reported.
struct ReportOptions {
  DiagnosticForm form = DiagnosticForm::Text;
  bool denyWarnings = false; ///< warnings are errors
};

struct CompileOptions {
  /// Loops to compile: "f32(f32, f32)", with "NAME:" before it for one
  /// function. Empty: all declared loops. A generic function needs one.
  std::vector<std::string> signatures;
  StageInfo emit = *findStage("ptx");
  /// Of the stage's target: "sm_90", or "x86-64-v3" for code that every CPU of
  /// that level runs. "": this machine's GPU, or sm_75 without one; for obj and
  /// header the highest level that this machine's CPU has, for other stages of
  /// CPUs what this CPU has.
  std::string arch;
  /// Of obj and header: what the code is called in C, before `_kern`. "": as
  /// the file without its folder and ending.
  std::string name;
  ReportOptions report = {};
  /// Say where the time went.
  bool timing = false;
  /// Forbids the contraction of `a * b + c`, and overrides `@fastmath`.
  bool isPrecise = false;
  /// Every form of each kernel, not only contiguous and strided.
  bool allForms = false;
  Checks checks = {};
};

struct CompileResult {
  bool ok = false;
  bool isInternal = false; ///< a defect of Kern, not of the input
  std::string output;
  std::string diagnostics; ///< also warnings and remarks of a success
  DiagnosticCounts counts = {};
  std::string timing; ///< the table, if asked for
  /// The files that were imported, directly or not, the library's excepted.
  std::vector<std::string> imports = {};
};

/// Compiles a source. A file that cannot be read is a diagnostic too.
KERN_API CompileResult compileFile(const SourceInput &input,
                                   const CompileOptions &options);
struct CheckOptions {
  ReportOptions report = {};
  bool remarks = false; ///< also what makes the functions slow
};
/// Reports what is wrong in a source, and compiles nothing.
KERN_API CompileResult checkFile(const SourceInput &input,
                                 const CheckOptions &options);

class Unit;
/// Adds to the diagnostics of an accepted source what makes its functions slow:
/// those with declared loops.
void reportRemarks(Unit &unit);

} // namespace kern

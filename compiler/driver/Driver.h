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

#include "compiler/lowering/Checks.h"
#include "runtime/include/kern/kern.h"

#include <string>
#include <vector>

namespace kern {

struct CompileOptions {
  /// Loops to compile: "f32(f32, f32)", with "NAME:" before it for one
  /// function. Empty: all declared loops. A generic function needs one.
  std::vector<std::string> signatures;
  /// 90 for sm_90; 0: this machine's GPU, or 75 without one.
  int computeCapability = 0;
  /// Of obj, header, asm and host-llvm: "x86-64-v3", code for every CPU of
  /// that level. "": for obj and header the highest level that this machine's
  /// CPU has, for the others what this CPU has.
  std::string level;
  /// kern, typed, loop, gpu, llvm, ptx, host-llvm, asm, obj, header or
  /// manifest.
  std::string emit = "ptx";
  /// Of obj and header: what the code is called in C, before `_kern`. "": as
  /// the file without its folder and ending.
  std::string name;
  /// Diagnostics as JSON, one object a line.
  bool json = false;
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
  std::string timing;      ///< the table, if asked for
};

/// Compiles a file. A file that cannot be read is a diagnostic too.
KERN_API CompileResult compileFile(const std::string &path,
                                   const CompileOptions &options);
struct CheckOptions {
  bool json = false;    ///< diagnostics as JSON, one object a line
  bool remarks = false; ///< also what makes the functions slow
};
/// Reports what is wrong in a file, and compiles nothing.
KERN_API CompileResult checkFile(const std::string &path,
                                 const CheckOptions &options);

class Unit;
/// Adds to the diagnostics of an accepted source what makes its functions slow:
/// those with declared loops.
void reportRemarks(Unit &unit);

} // namespace kern

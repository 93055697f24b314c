//===- Module.h - the file that a verb works on -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/compile.h"
#include "tools/kern/SharedOptions.h"
#include "tools/kern/values/Handles.h"

#include <optional>
#include <string>

namespace kern::cli {

/// Warns, once, about environment variables with invalid values: the cache's
/// size or the number of threads then differs from what was meant.
void warnOfSettings();

/// Whether a path names a compiled file and not a source.
bool isCompiled(const std::string &path);

/// Compiles a `.kern` file or the standard input ("-"), or loads a `.ptx` file,
/// by the path's ending. Options are for sources: asking for the precise mode
/// or for checks of a compiled file is refused. On failure, which is reported,
/// `module` stays empty and the exit status is returned.
std::optional<int> openModule(const CommandLine &line, const std::string &path,
                              const kern_compile_options &options,
                              Module &module);
/// The same, prints the warnings of a source, and finds a function: the
/// operands begin with the path and its name. Warnings with --deny-warnings
/// also give an exit status.
std::optional<int> openFunction(const CommandLine &line,
                                const kern_compile_options &options,
                                Module &module, kern_function *&function);

/// Prints the warnings of a module that was made from `source`, as errors with
/// --deny-warnings. Returns whether they are.
bool reportWarnings(const CommandLine &line, const kern_module *module,
                    const SourceInput &source);

} // namespace kern::cli

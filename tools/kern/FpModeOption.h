//===- FpModeOption.h - --fp-mode -------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/compile.h"
#include "tools/kern/CommandLine.h"

namespace kern::cli {

/// Adds `--fp-mode default|precise` to a verb.
void declareFpModeOption(CommandLine &line);

/// Sets the mode in `options`, whose size is set as well. Returns the exit
/// status where the line is wrong, which was reported.
std::optional<int> readFpModeOption(const CommandLine &line,
                                    kern_compile_options &options);

} // namespace kern::cli

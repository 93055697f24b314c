//===- CheckOption.h - --check ----------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/compile.h"
#include "tools/kern/CommandLine.h"

#include <optional>

namespace kern::cli {

/// Declares `--check`, with or without a list.
void declareCheckOption(CommandLine &line);

/// Fills `options.checks`; an exit status after a word that is no check.
std::optional<int> readCheckOption(const CommandLine &line,
                                   kern_compile_options &options);

} // namespace kern::cli

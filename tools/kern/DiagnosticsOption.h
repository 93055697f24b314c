//===- DiagnosticsOption.h - --diagnostics=text|json ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "tools/kern/CommandLine.h"

namespace kern::cli {

/// Declares --diagnostics, which `compile` and `check` share.
void declareDiagnosticsOption(CommandLine &line);

/// Reads it into `json`. Returns the exit status for a value that is neither
/// `text` nor `json`, which was reported.
std::optional<int> readDiagnosticsOption(const CommandLine &line, bool &json);

} // namespace kern::cli

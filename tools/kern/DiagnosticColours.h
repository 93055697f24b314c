//===- DiagnosticColours.h - diagnostics for a terminal ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kern::cli {

/// Whether messages are coloured, as bixense.com/clicolors has it: never with
/// NO_COLOR; else always with CLICOLOR_FORCE; else on a terminal, unless
/// CLICOLOR is 0. Empty variables, and a CLICOLOR_FORCE of 0, count as not set.
/// `environment` gives a variable's value, or NULL.
bool wantsColours(const std::function<const char *(const char *)> &environment,
                  bool isTerminal);

/// Rendered diagnostics with ANSI colours: the severity, the place before it,
/// the underline, and the words `note` and `help`. Text that is no diagnostic
/// comes back as it is.
std::string coloured(std::string_view diagnostics);

} // namespace kern::cli

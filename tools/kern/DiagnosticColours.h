//===- DiagnosticColours.h - diagnostics for a terminal ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>

namespace kern::cli {

/// Rendered diagnostics with ANSI colours: the severity, the place before it,
/// the underline, and the words `note` and `help`. Text that is no diagnostic
/// comes back as it is.
std::string coloured(std::string_view diagnostics);

} // namespace kern::cli

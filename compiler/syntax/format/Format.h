//===- Format.h - the canonical form of a file ---------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"

#include <optional>
#include <string>

namespace kern::compiler::syntax {

/// The canonical form of a file of the diagnostics' sources. Returns nothing if
/// the file has syntax errors, which are reported. Line breaks inside brackets
/// stay where the author put them, and so do empty lines (at most one in a
/// row). Everything else is fixed: four spaces per level, one statement per
/// line, spaces around operators, double quotes, short type names, no `math.`
/// or `np.` where the name alone means the same, and no imports that this
/// leaves unused. Comments stay with their lines.
///
/// The result parses to the same tree except for those names. Formatting it
/// again changes nothing.
std::optional<std::string> format(uint32_t file, DiagnosticEngine &diagnostics);

} // namespace kern::compiler::syntax

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

namespace kern::syntax {

/// The canonical form of a file of the diagnostics' sources; nothing if the
/// file has syntax errors, which are reported. Where lines break inside
/// brackets is left to the author, as are empty lines (at most one in a row);
/// all else is settled: four spaces for each level, one statement a line,
/// spaces around operators, double quotes, short names of types, no `math.`
/// and `np.` where the name alone means the same, and no import that this
/// leaves without use. Comments stay with the lines they stood at.
///
/// The result parses to the same tree but for those names, and formatting it
/// again changes nothing.
std::optional<std::string> format(uint32_t file, DiagnosticEngine &diagnostics);

} // namespace kern::syntax

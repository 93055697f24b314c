//===- Reports.h - diagnostics that outlive their sources -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "runtime/error/Report.h"

#include <memory>
#include <optional>
#include <span>

namespace kern::compiler {

/// What renderText() shows, as data; null if that is nothing.
std::shared_ptr<const kern_diagnostics>
reportOf(const DiagnosticEngine &diagnostics, bool remarks = false);

/// The form of a report in a cache entry. Positions in the compilation's own
/// `files` refer to them by index, so that the files may be renamed.
std::string packReport(const kern_diagnostics *report,
                       std::span<const std::string> files);
/// Null for an empty report; nothing for an invalid text.
std::optional<std::shared_ptr<const kern_diagnostics>>
unpackReport(std::string_view text, std::span<const std::string> files);

} // namespace kern::compiler

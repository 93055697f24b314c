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

namespace kern {

/// What renderText() shows, as data; NULL if that is nothing.
std::shared_ptr<const kern_diagnostics>
reportOf(const DiagnosticEngine &diagnostics, bool remarks = false);

/// As an entry of the cache has them. Of the compilation's own `files` places
/// have the number, so that those may have other names later.
std::string packReport(const kern_diagnostics *report,
                       std::span<const std::string> files);
/// NULL for a report of nothing; nothing for a text that is none.
std::optional<std::shared_ptr<const kern_diagnostics>>
unpackReport(std::string_view text, std::span<const std::string> files);

} // namespace kern

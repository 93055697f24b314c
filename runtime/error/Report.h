//===- Report.h - diagnostics as the C interface gives them -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's diagnostics with their places resolved. Storing and reading
// them does not need the compiler.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/diagnostics.h"

#include <string>
#include <vector>

namespace kern::runtime {

/// A kern_place that owns its file's name; "" for none.
struct ReportedPlace {
  std::string file;
  size_t begin = 0, end = 0;
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
  bool operator==(const ReportedPlace &) const = default;
};

/// A note, or the replacement of a fix.
struct ReportedText {
  ReportedPlace place;
  std::string text;
  bool operator==(const ReportedText &) const = default;
};

struct Reported {
  kern_severity severity = KERN_SEVERITY_ERROR;
  std::string code, text, help;
  ReportedPlace place;
  std::vector<ReportedText> notes, fixes;
  bool operator==(const Reported &) const = default;
};

} // namespace kern::runtime

/// What the handle of the C interface holds. Not empty, and immutable.
struct kern_diagnostics {
  std::vector<kern::runtime::Reported> list;
};

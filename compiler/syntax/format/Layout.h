//===- Layout.h - rows to text -------------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/format/Rows.h"

namespace kern::syntax {

/// Writes rows with their comments, indentation and empty lines.
std::string layOut(const std::vector<Row> &rows);

/// The text of a docstring whose first line moves from one column to another:
/// its other lines move as far, and lose their trailing blanks.
std::string movedDocstring(std::string_view text, unsigned from, unsigned to);

} // namespace kern::syntax

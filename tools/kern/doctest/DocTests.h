//===- DocTests.h - the tests in a file's docstrings ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/source/Source.h"

#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// One `>>>` line of a docstring and its expected result.
struct DocTest {
  /// Text of the expression that comes from one line of the file.
  struct Segment {
    size_t begin; ///< in the expression
    compiler::LineColumn place;
  };

  unsigned line = 1;      ///< of the `>>>`; lines count from 1
  std::string expression; ///< with its `...` lines, joined by spaces
  std::string expected;   ///< its lines joined by spaces; may be empty
  std::vector<Segment> segments;

  /// Where in the file a byte of the expression stands.
  compiler::LineColumn placeOf(size_t offset) const;
};

/// The tests in the docstrings of a `.kern` file, in order. A test is an
/// expression after `>>>`, continued in lines that begin with `...`. Its
/// expected result fills the lines up to the next `>>>`, an empty line or the
/// end of the docstring. In a file with syntax errors, only the readable part
/// counts.
std::vector<DocTest> docTests(std::string_view text);

} // namespace kern::cli

//===- Dump.h - syntax trees as text ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/Parser.h"

#include <string>
#include <string_view>
#include <vector>

namespace kern::compiler::syntax::test {

/// A tree as S-expressions: `a + b` is `(+ a b)`.
std::string dump(const Expr &expr);
std::string dump(const Stmt &stmt);
std::string dump(const Block &block);
std::string dump(const TypeSyntax &type);
std::string dump(const Item &item);
std::string dump(const File &file);

/// `begin-end` of the expression and all below it, parents first, less
/// `origin`.
std::string dumpSpans(const Expr &expr, uint32_t origin);

/// One parsed text with all that belongs to it.
struct Parsed {
  explicit Parsed(std::string text)
      : file(sources.add("test.kern", std::move(text))), diagnostics(sources),
        tree(parse(file, diagnostics)) {}

  SourceManager sources;
  uint32_t file;
  DiagnosticEngine diagnostics;
  File tree;

  /// `line:column code` of each diagnostic, joined by ", ".
  std::string errors() const;
};

/// The dump of an expression, or its errors.
std::string parseExpression(std::string_view text);
/// The dump of a function's body, or its errors; the lines are indented here.
std::string parseBody(std::string_view text);
/// The dump of a file, or its errors.
std::string parseFile(std::string_view text);

} // namespace kern::compiler::syntax::test

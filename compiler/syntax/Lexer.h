//===- Lexer.h - text to tokens ---------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Produces tokens one at a time, on demand. Inside brackets and after a
// backslash, lines are joined. Elsewhere each line ends with a Newline, and
// changes of indentation give Indent and Dedent. Any bytes give a finite
// sequence of tokens that ends with EndOfFile, in linear time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Token.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kern::compiler::syntax {

/// One class, since its members are the state between two tokens: the position,
/// the indentation, the open brackets, and what has been reported.
class Lexer {
public:
  Lexer(uint32_t file, DiagnosticEngine &diagnostics);

  /// The next token. At the end, EndOfFile every time.
  Token next();

  /// Starts a new statement at `token`, which must be the first of its line and
  /// inside brackets. The next tokens are a Newline and then the token's line,
  /// read outside all brackets.
  void leaveBrackets(const Token &token);

  /// While quiet, no errors are reported.
  void setQuiet(bool value) { quiet = value; }

  /// The indentation in columns of the innermost block, and of the line that
  /// begins with a token.
  unsigned indentation() const { return indents.back(); }
  unsigned columnOf(const Token &token) const;

private:
  bool atEnd() const { return pos >= text.size(); }
  char peek(size_t ahead = 0) const {
    return pos + ahead < text.size() ? text[pos + ahead] : '\0';
  }
  bool atLineEnd() const { return peek() == '\n' || peek() == '\r'; }
  void skipLineEnd();
  bool skipSpace(bool &crossedLine);
  bool readIndentation(Token &token);
  std::optional<Token> lexLineEnd();
  Token make(TokenKind kind, size_t begin) const;
  Diagnostic *report(Diag id, size_t begin, size_t end,
                     std::initializer_list<std::string> arguments,
                     Help help = {});
  void checkEncoding();

  Token lexWord(size_t begin);
  Token lexNumber(size_t begin);
  Token lexString(size_t begin, bool isFormat);
  Token lexPunctuation(size_t begin);
  Token lexUnexpected(size_t begin);

  std::string_view text;
  uint32_t file;
  DiagnosticEngine &diagnostics;
  size_t pos = 0;
  std::vector<unsigned> indents{0};
  unsigned bracketDepth = 0;
  unsigned pendingDedents = 0;
  bool pendingNewline = false;
  bool atLineStart = true;
  bool lineHasTokens = false;
  bool tabReported = false;
  bool quiet = false;
};

} // namespace kern::compiler::syntax

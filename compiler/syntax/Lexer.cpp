//===- Lexer.cpp - lines, indentation and brackets ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/Lexer.h"
#include "compiler/source/Utf8.h"
#include "compiler/syntax/UnicodeLetters.h"

#include <algorithm>
#include <utility>

namespace kern::compiler::syntax {

/// As in Python, where a file may mix tabs and spaces at all.
static constexpr unsigned tabStop = 8;

Lexer::Lexer(uint32_t file, DiagnosticEngine &diagnostics)
    : text(diagnostics.sourceManager().file(file).text()), file(file),
      diagnostics(diagnostics) {
  checkEncoding();
  if (text.starts_with("\xEF\xBB\xBF"))
    pos = 3;
}

Diagnostic *Lexer::report(Diag id, size_t begin, size_t end,
                          std::initializer_list<std::string> arguments,
                          Help help) {
  if (quiet)
    return nullptr;
  Diagnostic &diagnostic =
      diagnostics.report(id, {file, uint32_t(begin), uint32_t(end)}, arguments);
  diagnostic.give(std::move(help));
  return &diagnostic;
}

/// Reports only the first byte that is not UTF-8: a file in another encoding
/// has many of them and needs one fix.
void Lexer::checkEncoding() {
  for (size_t i = 0; i < text.size();) {
    if ((unsigned char)text[i] < 0x80) {
      ++i;
      continue;
    }
    CodePoint point = decodeUtf8(text, i);
    if (!point.valid) {
      static constexpr char digits[] = "0123456789ABCDEF";
      std::string byte = "0x";
      byte += digits[point.value >> 4];
      byte += digits[point.value & 15];
      report(Diag::invalid_utf8, i, i + 1, {byte},
             "save the file in the encoding UTF-8");
      return;
    }
    i += point.length;
  }
}

Token Lexer::make(TokenKind kind, size_t begin) const {
  return {kind, false, uint32_t(begin), uint32_t(pos)};
}

unsigned Lexer::columnOf(const Token &token) const {
  unsigned column = 0;
  for (size_t i = token.begin; i > 0; --i, ++column)
    if (text[i - 1] == '\n' || text[i - 1] == '\r')
      break;
  return column;
}

void Lexer::leaveBrackets(const Token &token) {
  bracketDepth = 0;
  pendingNewline = true;
  pos = token.begin - columnOf(token);
}

void Lexer::skipLineEnd() { pos += peek() == '\r' && peek(1) == '\n' ? 2 : 1; }

/// Skips spaces, comments and joined lines. True if a token begins at `pos`;
/// false at the end of the line or the file.
bool Lexer::skipSpace(bool &crossedLine) {
  while (!atEnd()) {
    char c = peek();
    if (c == ' ' || c == '\t' || c == '\f') {
      ++pos;
    } else if (c == '#') {
      while (!atEnd() && !atLineEnd())
        ++pos;
    } else if (atLineEnd()) {
      if (bracketDepth == 0)
        return false;
      skipLineEnd();
      crossedLine = true;
    } else if (c == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
      ++pos;
      skipLineEnd();
    } else {
      return true;
    }
  }
  return false;
}

/// At the beginning of a line: skips lines without tokens and compares the next
/// line's indentation with the enclosing blocks. True if `token` is the
/// resulting Indent. Dedents are counted in `pendingDedents`.
bool Lexer::readIndentation(Token &token) {
  size_t lineBegin = pos;
  size_t tab = std::string_view::npos;
  unsigned column = 0;
  for (;; ++pos) {
    char c = peek();
    if (c == ' ') {
      ++column;
    } else if (c == '\t') {
      tab = std::min(tab, pos);
      column = (column / tabStop + 1) * tabStop;
    } else if (c == '\f') {
      column = 0;
    } else if (c == '#' || (!atEnd() && atLineEnd())) {
      while (!atEnd() && !atLineEnd())
        ++pos;
      if (atEnd())
        break;
      skipLineEnd();
      lineBegin = pos--;
      column = 0;
      tab = std::string_view::npos;
    } else {
      break;
    }
  }
  atLineStart = false;
  if (atEnd())
    return false;
  if (tab != std::string_view::npos && !tabReported) {
    tabReported = true;
    report(Diag::tab_in_indentation, tab, tab + 1, {},
           "indent with spaces, four for each level");
  }
  if (column > indents.back()) {
    indents.push_back(column);
    token = {TokenKind::Indent, true, uint32_t(lineBegin), uint32_t(pos)};
    return true;
  }
  while (column < indents.back()) {
    unsigned outer = indents[indents.size() - 2];
    if (column > outer) {
      // Most likely the rest of the block is indented like this line.
      report(Diag::unindent_mismatch, lineBegin, pos, {},
             "lines of one block begin in the same column: here " +
                 std::to_string(outer) + " or " +
                 std::to_string(indents.back()) + " spaces, not " +
                 std::to_string(column));
      indents.back() = column;
      break;
    }
    indents.pop_back();
    ++pendingDedents;
  }
  return false;
}

/// Keywords that begin a statement and cannot occur in an expression. At the
/// beginning of a line they reveal an unclosed bracket.
static bool beginsStatement(TokenKind kind) {
  switch (kind) {
  case TokenKind::Assert:
  case TokenKind::Break:
  case TokenKind::Const:
  case TokenKind::Continue:
  case TokenKind::Def:
  case TokenKind::Elif:
  case TokenKind::From:
  case TokenKind::Gufunc:
  case TokenKind::Import:
  case TokenKind::Pass:
  case TokenKind::Return:
  case TokenKind::Ufunc:
  case TokenKind::While:
    return true;
  default:
    return false;
  }
}

/// The tokens at the end of a line or of the file: the Newline; at the end of
/// the file then the Dedents and EndOfFile. Returns nothing for the empty rest
/// of a line, which is skipped.
std::optional<Token> Lexer::lexLineEnd() {
  Token newline = make(TokenKind::Newline, pos);
  bool hadTokens = std::exchange(lineHasTokens, false);
  bracketDepth = 0;
  if (!atEnd()) {
    skipLineEnd();
    atLineStart = true;
  }
  if (hadTokens)
    return newline;
  if (!atEnd())
    return std::nullopt;
  if (indents.size() == 1)
    return make(TokenKind::EndOfFile, pos);
  indents.pop_back();
  return make(TokenKind::Dedent, pos);
}

Token Lexer::next() {
  if (pendingNewline) {
    pendingNewline = false;
    atLineStart = true;
    lineHasTokens = false;
    return make(TokenKind::Newline, pos);
  }
  Token token;
  bool crossedLine = false;
  for (;;) {
    if (atLineStart && readIndentation(token))
      return token;
    if (pendingDedents) {
      --pendingDedents;
      return make(TokenKind::Dedent, pos);
    }
    if (skipSpace(crossedLine))
      break;
    if (std::optional<Token> structure = lexLineEnd())
      return *structure;
  }

  size_t begin = pos;
  CodePoint point = decodeUtf8(text, pos);
  char c = peek();
  auto isDigit = [](char d) { return d >= '0' && d <= '9'; };
  if (point.valid && beginsIdentifier(point.value))
    token = lexWord(begin);
  else if (isDigit(c) || (c == '.' && isDigit(peek(1))))
    token = lexNumber(begin);
  else if (c == '"' || c == '\'')
    token = lexString(begin, false);
  else
    token = lexPunctuation(begin);
  token.startsLine = crossedLine;
  if (crossedLine && bracketDepth > 0 && beginsStatement(token.kind)) {
    leaveBrackets(token);
    return next();
  }
  lineHasTokens = true;
  return token;
}

} // namespace kern::compiler::syntax

//===- Parser.cpp - tokens, errors and recovery ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/ParserImpl.h"
#include "compiler/syntax/UnicodeLetters.h"

namespace kern::compiler::syntax {

/// Far larger than any real source, and small enough that its tokens are read
/// in a few seconds.
static constexpr size_t fileLimit = 64u << 20;

File parse(uint32_t file, DiagnosticEngine &diagnostics) {
  size_t size = diagnostics.sourceManager().file(file).text().size();
  if (size > fileLimit) {
    diagnostics.report(Diag::file_too_large, {file, 0, 0},
                       {std::to_string(size), std::to_string(fileLimit)});
    return File{file, std::nullopt, {}};
  }
  return Parser(file, diagnostics).parseFile();
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

const Token &Parser::peek(unsigned index) {
  while (aheadCount <= index)
    ahead[aheadCount++] = lexer.next();
  return ahead[index];
}

Token Parser::advance() {
  Token token = peek();
  std::copy(ahead.begin() + 1, ahead.begin() + aheadCount, ahead.begin());
  --aheadCount;
  bool structure =
      token.kind == TokenKind::Newline || token.kind == TokenKind::Indent ||
      token.kind == TokenKind::Dedent || token.kind == TokenKind::EndOfFile;
  if (token.startsLine) {
    lineToken = token;
    endBeforeLine = lastEnd;
  }
  if (!structure)
    lastEnd = token.end;
  return token;
}

bool Parser::atWord(std::string_view word) {
  return at(TokenKind::Name) && text(peek()) == word;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind))
    return false;
  advance();
  return true;
}

bool Parser::atLineEnd() {
  return at(TokenKind::Newline) || at(TokenKind::EndOfFile) ||
         at(TokenKind::Dedent) || at(TokenKind::Indent);
}

std::string_view Parser::text(const Token &token) const {
  return source.substr(token.begin, token.end - token.begin);
}

std::string Parser::name(const Token &token) const {
  return normalName(text(token));
}

std::string Parser::describe(const Token &token) const {
  switch (token.kind) {
  case TokenKind::Newline:
    return "the end of the line";
  case TokenKind::EndOfFile:
    return "the end of the file";
  case TokenKind::Indent:
    return "an indented line";
  case TokenKind::Dedent:
    return "the end of the block";
  case TokenKind::String:
  case TokenKind::FormatString:
    return "a string";
  default:
    break;
  }
  std::string_view word = text(token);
  return word.size() <= 40 ? "`" + std::string(word) + "`"
                           : "`" + std::string(word.substr(0, 40)) + "…`";
}

//===----------------------------------------------------------------------===//
// Errors and recovery
//===----------------------------------------------------------------------===//

void Parser::complain(Diag id, Span span,
                      std::initializer_list<std::string> arguments, Help help) {
  if (panicking)
    return;
  diagnostics.report(id, span, arguments).give(std::move(help));
  suppressUnknownNames(span.begin, span.end);
}

/// Suppresses errors on unknown names that the erroneous lines might have
/// bound: any name in them. Of very long lines only a part is read.
void Parser::suppressUnknownNames(uint32_t begin, uint32_t end) {
  constexpr size_t maxBytes = 1000;
  if (diagnostics.errors() > 100) // nobody reads that far
    return;
  auto isLineEnd = [&](size_t i) {
    return source[i] == '\n' || source[i] == '\r';
  };
  auto isLetter = [&](size_t i) {
    auto c = (unsigned char)source[i];
    return c == '_' || c >= 0x80 || (c >= '0' && c <= '9') ||
           ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  };
  size_t first = begin;
  while (first > 0 && begin - first < maxBytes && !isLineEnd(first - 1))
    --first;
  size_t last = std::min<size_t>(end, begin + maxBytes);
  while (last < source.size() && last - begin < 2 * maxBytes &&
         !isLineEnd(last))
    ++last;
  for (size_t i = first; i < last; ++i) {
    const size_t word = i;
    while (i < last && isLetter(i))
      ++i;
    if (i > word)
      diagnostics.markUncertain(normalName(source.substr(word, i - word)));
  }
}

void Parser::fail(Diag id, Span span,
                  std::initializer_list<std::string> arguments, Help help) {
  complain(id, span, arguments, std::move(help));
  skipLine();
}

void Parser::skipLine() {
  panicking = true;
  lexer.setQuiet(true);
  const uint32_t begin = peek().begin;
  while (!atLineEnd())
    advance();
  lexer.setQuiet(false);
  suppressUnknownNames(begin, std::max(begin, lastEnd));
}

void Parser::startNewLine() {
  panicking = false;
  accept(TokenKind::Newline);
}

/// Skips an indented block, if one comes next.
void Parser::skipSuite() {
  if (!accept(TokenKind::Indent))
    return;
  lexer.setQuiet(true);
  for (unsigned depth = 1; depth > 0 && !at(TokenKind::EndOfFile);) {
    TokenKind kind = advance().kind;
    depth += kind == TokenKind::Indent;
    depth -= kind == TokenKind::Dedent;
  }
  lexer.setQuiet(false);
}

static std::string_view closingOf(TokenKind opening) {
  return opening == TokenKind::LParen     ? ")"
         : opening == TokenKind::LBracket ? "]"
                                          : "}";
}

/// If an unclosed or mismatched bracket explains the error at the current
/// token, reports that and gives up the line.
bool Parser::explainBrackets() {
  const Token token = peek();
  bool closing = token.kind == TokenKind::RParen ||
                 token.kind == TokenKind::RBracket ||
                 token.kind == TokenKind::RBrace;
  if (brackets.empty()) {
    if (!closing)
      return false;
    if (token.kind == TokenKind::RBrace && bracesReported) {
      skipLine();
      return true;
    }
    fail(Diag::unmatched_closing, span(token), {std::string(text(token))});
    return true;
  }
  const Token open = brackets.back();
  std::string_view wanted = closingOf(open.kind);
  if (closing && text(token) != wanted) {
    Diagnostic &diagnostic =
        diagnostics.report(Diag::mismatched_bracket, span(token),
                           {std::string(text(token)), std::string(text(open))});
    diagnostic.notes.push_back({span(open), "opened here"});
    skipLine();
    return true;
  }
  // A line indented no deeper than the statement with the bracket is most
  // likely the next statement.
  bool atLine = token.startsLine;
  const Token line = atLine ? token : lineToken;
  bool nextStatement = !closing && line.startsLine && line.begin > open.begin &&
                       lexer.columnOf(line) <= lexer.indentation();
  if (!atLineEnd() && !nextStatement)
    return false;
  Diagnostic &diagnostic = diagnostics.report(
      Diag::unclosed_bracket, span(open), {std::string(text(open))});
  diagnostic.help = "add the `" + std::string(wanted) + "`";
  if (nextStatement) {
    lexer.leaveBrackets(line);
    aheadCount = 0;
    lastEnd = atLine ? lastEnd : endBeforeLine;
  }
  suppressUnknownNames(open.begin, lastEnd);
  panicking = true;
  return true;
}

void Parser::unexpected(Diag id, std::initializer_list<std::string> arguments,
                        Help help) {
  if (panicking)
    return;
  if (at(TokenKind::Error))
    return skipLine();
  if (!explainBrackets())
    fail(id, span(peek()), arguments, std::move(help));
}

void Parser::expected(std::string what, Help help) {
  unexpected(Diag::expected_token, {std::move(what), describe(peek())},
             std::move(help));
}

bool Parser::expect(TokenKind kind, std::string_view what) {
  if (accept(kind))
    return true;
  expected(std::string(what));
  return false;
}

std::optional<Identifier> Parser::expectName(std::string what) {
  if (at(TokenKind::Name)) {
    Token token = advance();
    return Identifier{name(token), span(token)};
  }
  bool keyword = keywordKind(text(peek())) != TokenKind::Name;
  expected(std::move(what),
           keyword ? describe(peek()) + " is a keyword; choose another name"
                   : std::string());
  return std::nullopt;
}

bool Parser::enter() {
  if (++nesting <= nestingLimit)
    return true;
  fail(Diag::too_deep, span(peek()), {std::to_string(nestingLimit)},
       "move the inner part into a `def`");
  return false;
}

bool Parser::continueList(TokenKind closing, std::string_view spelling) {
  if (accept(TokenKind::Comma))
    return !at(closing);
  if (!at(closing)) {
    const bool isValue = at(TokenKind::Name) || at(TokenKind::Integer) ||
                         at(TokenKind::Float) || at(TokenKind::Imaginary);
    unexpected(Diag::missing_separator,
               {std::string(spelling), describe(peek())},
               isValue ? "put a comma before it: `, " +
                             std::string(text(peek()).substr(0, 40)) + "`"
                       : std::string());
  }
  return false;
}

} // namespace kern::compiler::syntax

//===- Layout.cpp - rows to text ------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/Layout.h"

#include "compiler/syntax/Parser.h"
#include "compiler/syntax/format/Format.h"

#include "compiler/source/Utf8.h"

#include <algorithm>

namespace kern::compiler::syntax {
namespace {

constexpr unsigned step = 4; ///< spaces per level

unsigned displayColumns(std::string_view text) {
  unsigned columns = 0;
  for (size_t i = 0; i < text.size();) {
    const CodePoint point = decodeUtf8(text, i);
    columns += displayWidth(point.value);
    i += point.length;
  }
  return columns;
}

bool opens(TokenKind kind) {
  return kind == TokenKind::LParen || kind == TokenKind::LBracket ||
         kind == TokenKind::LBrace;
}
bool closes(TokenKind kind) {
  return kind == TokenKind::RParen || kind == TokenKind::RBracket ||
         kind == TokenKind::RBrace;
}
bool beginsItem(const Row &row) {
  const TokenKind kind = row.tokens[0].token->kind;
  return kind == TokenKind::Def || kind == TokenKind::Ufunc ||
         kind == TokenKind::Gufunc || kind == TokenKind::At;
}

/// An open bracket: its kind, where lines inside it begin, and where its
/// closing bracket stands if that begins a line.
struct Bracket {
  TokenKind kind;
  unsigned inside, closing;
  bool hasColon = false; ///< in the element that is being written
};

class RowWriter {
public:
  RowWriter(const Row &row, std::string &out)
      : row(row), out(out), indent(row.level * step) {}

  void run() {
    const bool isText = std::ranges::all_of(row.tokens, [](const auto &entry) {
      return entry.token->kind == TokenKind::String;
    });
    for (size_t i = 0; i < row.tokens.size(); ++i) {
      const FormatToken &token = *row.tokens[i].token;
      if (i > 0)
        separate(i);
      if (closes(token.kind) && !brackets.empty())
        brackets.pop_back();
      line += isText ? movedDocstring(token.text, row.sourceColumn, indent)
                     : token.text;
      if (opens(token.kind))
        open(i);
      else if (!brackets.empty() && token.kind == TokenKind::Colon)
        brackets.back().hasColon = true;
      else if (!brackets.empty() && token.kind == TokenKind::Comma)
        brackets.back().hasColon = false;
    }
    endLine(row.trailing);
  }

private:
  /// A line ends here, inside brackets or after a backslash.
  bool breaksBefore(size_t i) const {
    const Spacing &spacing = row.tokens[i].spacing;
    return spacing.breaks || !spacing.trailing.empty() ||
           !spacing.comments.empty();
  }

  void separate(size_t i) {
    const FormatToken &before = *row.tokens[i - 1].token;
    const FormatToken &token = *row.tokens[i].token;
    if (breaksBefore(i))
      return breakLine(row.tokens[i].spacing, token);
    const TokenContext context{
        brackets.empty() ? TokenKind::EndOfFile : brackets.back().kind,
        isSign(i > 1 ? row.tokens[i - 2].token : nullptr, before),
        !brackets.empty() && brackets.back().hasColon};
    if (spaceBetween(before, token, context))
      line += ' ';
  }

  void breakLine(const Spacing &spacing, const FormatToken &next) {
    if (brackets.empty())
      line += " \\";
    endLine(spacing.trailing);
    indent = brackets.empty() ? (row.level + 1) * step : brackets.back().inside;
    for (const Spacing::Comment &comment : spacing.comments)
      out.append(indent, ' ').append(comment.text).append("\n");
    if (closes(next.kind) && !brackets.empty())
      indent = brackets.back().closing;
  }

  /// If a bracket ends its line, the lines inside it are indented one level
  /// more than this line. Otherwise they align with what follows the bracket.
  void open(size_t i) {
    const bool hangs = i + 1 < row.tokens.size() && breaksBefore(i + 1);
    const size_t newline = line.rfind('\n');
    const unsigned column =
        newline == line.npos
            ? indent + displayColumns(line)
            : displayColumns(std::string_view(line).substr(newline + 1));
    brackets.push_back({row.tokens[i].token->kind,
                        hangs ? indent + step : column,
                        hangs ? indent : column - 1});
  }

  void endLine(const std::string &comment) {
    out.append(indent, ' ').append(line);
    if (!comment.empty())
      out.append("  ").append(comment);
    out += '\n';
    line.clear();
  }

  const Row &row;
  std::string &out;
  std::string line;
  unsigned indent;
  std::vector<Bracket> brackets;
};

} // namespace

std::string movedDocstring(std::string_view text, unsigned from, unsigned to) {
  // A backslash may join lines, or escape what looks like a blank.
  if (text.find('\\') != text.npos || text.find('\n') == text.npos)
    return std::string(text);
  std::string out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (begin > 0) {
      out += '\n';
      const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
      const bool isBlank = line.find_first_not_of(" \t\r\f") == line.npos;
      if (!isBlank)
        out.append(blanks + to >= from ? blanks + to - from : 0, ' ');
      line.remove_prefix(blanks);
    }
    if (end < text.size())
      line = line.substr(0, line.find_last_not_of(" \t\r\f") + 1);
    out += line;
    begin = end + 1;
  }
  return out;
}

std::string layOut(const std::vector<Row> &rows) {
  std::string out;
  const Row *before = nullptr;
  for (const Row &row : rows) {
    const Spacing &spacing = row.tokens[0].spacing;
    const bool isEnd = row.tokens[0].token->kind == TokenKind::EndOfFile;
    const bool opensBlock = before && row.level > before->level;
    const bool afterDecorator =
        before && before->tokens[0].token->kind == TokenKind::At;
    // Functions, with their comments, are set apart from what surrounds them.
    bool wantsEmpty = before && !isEnd && row.level == 0 && !afterDecorator &&
                      beginsItem(row) && !spacing.emptyAtEnd;
    for (const Spacing::Comment &comment : spacing.comments)
      wantsEmpty &= !comment.emptyBefore;
    unsigned levelAbove = before ? before->level : 0;
    bool atBegin = opensBlock || !before; // of a block: no empty line there
    for (const Spacing::Comment &comment : spacing.comments) {
      const bool leaves = comment.level == 0 && levelAbove > 0;
      const bool apart = wantsEmpty && comment.level == 0;
      if ((comment.emptyBefore || leaves || apart) && !atBegin)
        out += '\n';
      wantsEmpty &= !apart;
      out.append(comment.level * step, ' ').append(comment.text).append("\n");
      atBegin = false;
      levelAbove = comment.level;
    }
    if (isEnd)
      break;
    const bool leaves = row.level == 0 && levelAbove > 0;
    if ((spacing.emptyAtEnd && !afterDecorator && !atBegin) || leaves ||
        wantsEmpty)
      out += '\n';
    RowWriter(row, out).run();
    before = &row;
  }
  return out;
}

std::optional<std::string> format(uint32_t file,
                                  DiagnosticEngine &diagnostics) {
  const unsigned errors = diagnostics.errors();
  const File tree = parse(file, diagnostics);
  if (diagnostics.errors() != errors)
    return std::nullopt;
  const SourceManager &sources = diagnostics.sourceManager();
  std::vector<FormatToken> tokens = readTokens(file, sources);
  splitLines(tokens);
  shortenNames(tree, tokens);
  return layOut(makeRows(tokens, sources.file(file).text()));
}

} // namespace kern::compiler::syntax

//===- Rows.cpp - lines with their comments -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/Layout.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kern::compiler::syntax {

/// `#x` becomes `# x`; lines of `#` and the like stay as they are.
static std::string commentText(std::string_view text) {
  const size_t end = text.find_last_not_of(" \t\f\v");
  text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  std::string out(text);
  if (text.size() > 1 &&
      std::string_view("# \t!:").find(text[1]) == std::string_view::npos)
    out.insert(1, " ");
  return out;
}

/// The column of a line's text, counting tabs as the lexer does.
static unsigned columnOf(std::string_view source, size_t offset) {
  size_t i = offset;
  while (i > 0 && source[i - 1] != '\n' && source[i - 1] != '\r')
    --i;
  unsigned column = 0;
  for (; i < offset; ++i)
    column = source[i] == '\t'   ? (column / 8 + 1) * 8
             : source[i] == '\f' ? 0
                                 : column + 1;
  return column;
}

/// `begin` is the end of a token, or the beginning of the file.
static Spacing readSpacing(std::string_view source, size_t begin, size_t end,
                           bool atFileStart) {
  Spacing spacing;
  bool onTokensLine = !atFileStart;
  bool lineIsEmpty = atFileStart; // no token or comment so far
  bool empty = false;
  for (size_t i = begin; i < end; ++i) {
    const char c = source[i];
    if (c == '#') {
      size_t last = i;
      while (last < end && source[last] != '\n' && source[last] != '\r')
        ++last;
      std::string text = commentText(source.substr(i, last - i));
      if (onTokensLine)
        spacing.trailing = std::move(text);
      else
        spacing.comments.push_back({std::move(text), columnOf(source, i), 0,
                                    std::exchange(empty, false)});
      lineIsEmpty = false;
      i = last - 1;
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < end && source[i + 1] == '\n')
        ++i;
      empty |= lineIsEmpty;
      lineIsEmpty = true;
      onTokensLine = false;
      spacing.breaks = true;
    }
  }
  spacing.emptyAtEnd = empty;
  return spacing;
}

/// Joins the spacing on both sides of a removed token. A comment behind that
/// token gets a line of its own.
static Spacing merged(Spacing first, Spacing second) {
  if (!second.trailing.empty() && first.comments.empty() &&
      first.trailing.empty() && !first.breaks) {
    first.trailing = std::move(second.trailing);
  } else if (!second.trailing.empty()) {
    first.comments.push_back(
        {std::move(second.trailing), 0, 0, first.emptyAtEnd});
  }
  std::ranges::move(second.comments, std::back_inserter(first.comments));
  first.breaks |= second.breaks;
  first.emptyAtEnd = second.emptyAtEnd;
  return first;
}

std::vector<Row> makeRows(const std::vector<FormatToken> &tokens,
                          std::string_view source) {
  std::vector<Row> rows;
  Spacing pending;
  bool hasPending = false, begins = true;
  unsigned extraLevel = 0;
  size_t end = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const size_t fileStart = end;
  for (const FormatToken &token : tokens) {
    Spacing spacing = readSpacing(source, end, token.begin, end == fileStart);
    end = token.end;
    if (hasPending)
      spacing = merged(std::exchange(pending, {}), std::move(spacing));
    hasPending = false;
    if (token.startsLine || token.kind == TokenKind::EndOfFile) {
      begins = true;
      extraLevel = 0;
    }
    if (token.isRemoved) {
      // The previous line keeps its comment.
      if (begins && !rows.empty() && rows.back().trailing.empty())
        rows.back().trailing = std::exchange(spacing.trailing, {});
      pending = std::move(spacing);
      hasPending = true;
      pending.breaks |= begins;
      if (token.breaksAfter) {
        begins = true;
        extraLevel = token.extraLevel;
        pending.breaks = false;
      }
      continue;
    }
    if (begins) {
      if (!spacing.trailing.empty()) {
        if (!rows.empty() && rows.back().trailing.empty())
          rows.back().trailing = std::exchange(spacing.trailing, {});
        else
          spacing.comments.insert(
              spacing.comments.begin(),
              {std::exchange(spacing.trailing, {}), 0, 0, false});
      }
      Row row;
      row.level = token.level + extraLevel;
      row.sourceColumn = columnOf(source, token.begin);
      rows.push_back(std::move(row));
    }
    rows.back().tokens.push_back({std::move(spacing), &token});
    begins = token.breaksAfter;
    if (begins)
      extraLevel = token.extraLevel;
  }

  // A comment before a dedent belongs to the innermost block whose indentation
  // it reaches.
  std::vector<unsigned> columns{0};
  unsigned before = 0;
  for (Row &row : rows) {
    const FormatToken &first = *row.tokens[0].token;
    const unsigned level = row.level;
    for (Spacing::Comment &comment : row.tokens[0].spacing.comments) {
      comment.level = level;
      for (unsigned deeper = level + 1;
           deeper <= before && deeper < columns.size(); ++deeper)
        if (columns[deeper] <= comment.column)
          comment.level = deeper;
      before = std::max(level, comment.level);
    }
    if (first.startsLine) {
      columns.resize(std::max<size_t>(first.level + 1, 1));
      columns[first.level] = row.sourceColumn;
    }
    before = first.level;
  }
  return rows;
}

} // namespace kern::compiler::syntax

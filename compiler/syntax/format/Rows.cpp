//===- Rows.cpp - lines with their comments -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/Rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kern::syntax {

/// `#x` is `# x`; lines of `#` and the like stay as they are.
static std::string commentText(std::string_view text) {
  const size_t end = text.find_last_not_of(" \t\f\v");
  text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  std::string out(text);
  if (text.size() > 1 &&
      std::string_view("# \t!:").find(text[1]) == std::string_view::npos)
    out.insert(1, " ");
  return out;
}

/// Where a line's text stands, tabs counted as the lexer counts them.
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

/// `begin` is the end of a token, or the begin of the file.
static Gap readGap(std::string_view source, size_t begin, size_t end,
                   bool atFileStart) {
  Gap gap;
  bool onTokensLine = !atFileStart;
  bool lineIsEmpty = atFileStart; // of tokens and comments, so far
  bool empty = false;
  for (size_t i = begin; i < end; ++i) {
    const char c = source[i];
    if (c == '#') {
      size_t last = i;
      while (last < end && source[last] != '\n' && source[last] != '\r')
        ++last;
      std::string text = commentText(source.substr(i, last - i));
      if (onTokensLine)
        gap.trailing = std::move(text);
      else
        gap.comments.push_back({std::move(text), columnOf(source, i), 0,
                                std::exchange(empty, false)});
      lineIsEmpty = false;
      i = last - 1;
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < end && source[i + 1] == '\n')
        ++i;
      empty |= lineIsEmpty;
      lineIsEmpty = true;
      onTokensLine = false;
      gap.breaks = true;
    }
  }
  gap.emptyAtEnd = empty;
  return gap;
}

/// Two gaps between which a token was removed. A comment behind that token
/// stands on a line of its own then.
static Gap merged(Gap first, Gap second) {
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

std::vector<Row> makeRows(const std::vector<Piece> &pieces,
                          std::string_view source) {
  std::vector<Row> rows;
  Gap pending;
  bool hasPending = false, begins = true;
  unsigned extraLevel = 0;
  size_t end = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const size_t fileStart = end;
  for (const Piece &piece : pieces) {
    Gap gap = readGap(source, end, piece.begin, end == fileStart);
    end = piece.end;
    if (hasPending)
      gap = merged(std::move(pending), std::move(gap));
    hasPending = false;
    if (piece.startsLine || piece.kind == TokenKind::EndOfFile) {
      begins = true;
      extraLevel = 0;
    }
    if (piece.isRemoved) {
      // The line before keeps its comment.
      if (begins && !rows.empty() && rows.back().trailing.empty())
        rows.back().trailing = std::exchange(gap.trailing, {});
      pending = std::move(gap);
      hasPending = true;
      pending.breaks |= begins;
      if (piece.breaksAfter) {
        begins = true;
        extraLevel = piece.extraLevel;
        pending.breaks = false;
      }
      continue;
    }
    if (begins) {
      if (!gap.trailing.empty()) {
        if (!rows.empty() && rows.back().trailing.empty())
          rows.back().trailing = std::exchange(gap.trailing, {});
        else
          gap.comments.insert(gap.comments.begin(),
                              {std::exchange(gap.trailing, {}), 0, 0, false});
      }
      Row row;
      row.level = piece.level + extraLevel;
      row.sourceColumn = columnOf(source, piece.begin);
      rows.push_back(std::move(row));
    }
    rows.back().tokens.push_back({std::move(gap), &piece});
    begins = piece.breaksAfter;
    if (begins)
      extraLevel = piece.extraLevel;
  }

  // A comment before a dedent belongs to the innermost block that it is
  // indented as deep as.
  std::vector<unsigned> columns{0};
  unsigned before = 0;
  for (Row &row : rows) {
    const Piece &first = *row.tokens[0].piece;
    const unsigned level = row.level;
    for (Gap::Comment &comment : row.tokens[0].gap.comments) {
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

} // namespace kern::syntax

//===- Rows.h - lines with their comments --------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/format/Pieces.h"

namespace kern::syntax {

/// What stands between two tokens, spaces aside.
struct Gap {
  struct Comment {
    std::string text;         ///< from the `#` on
    unsigned column = 0;      ///< where it stood
    unsigned level = 0;       ///< of the block that it belongs to
    bool emptyBefore = false; ///< an empty line stands before it
  };
  std::string trailing; ///< the comment on the line of the token before
  std::vector<Comment> comments; ///< those on lines of their own
  bool breaks = false;           ///< a line ends here
  bool emptyAtEnd = false; ///< an empty line stands before the token after
};

/// One statement or header: the tokens of one line, if it were long enough.
struct Row {
  struct Entry {
    Gap gap; ///< before the token
    const Piece *piece;
  };
  std::vector<Entry> tokens; ///< at least one, but for the row that ends a file
  unsigned level = 0;
  unsigned sourceColumn = 0; ///< where its first token stood
  std::string trailing;      ///< the comment after its last token
};

/// Puts pieces that are not removed into rows. The last row stands for the end
/// of the file and has EndOfFile alone. The rows refer to `pieces`.
std::vector<Row> makeRows(const std::vector<Piece> &pieces,
                          std::string_view source);

} // namespace kern::syntax

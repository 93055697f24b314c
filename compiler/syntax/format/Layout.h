//===- Layout.h - the steps of the formatter --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which they run: a file's tokens, short names, rows of tokens
// with their comments, and the text of those.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/Token.h"
#include "compiler/syntax/Tree.h"

#include <set>

namespace kern::syntax {

//===----------------------------------------------------------------------===//
// Tokens (Tokens.cpp)
//===----------------------------------------------------------------------===//

/// A token of a file, with what the lines and blocks around it say.
struct FormatToken {
  TokenKind kind = TokenKind::EndOfFile;
  uint32_t begin = 0, end = 0;
  std::string text;         ///< as it will be written
  unsigned level = 0;       ///< of the block that its line stands in
  bool startsLine = false;  ///< the first of a logical line
  bool isRemoved = false;   ///< not written; the comments around it are
  bool breaksAfter = false; ///< what follows begins a line of its own
  unsigned extraLevel = 0;  ///< levels that such a break adds
  bool isKeyword = false;   ///< a word that stands apart: `where` of a header
};

/// All tokens of a file without syntax errors but for those of structure; the
/// last is EndOfFile.
std::vector<FormatToken> readTokens(uint32_t file,
                                    const SourceManager &sources);

/// Marks where one line becomes several: `;`, and the block after a `:`.
void splitLines(std::vector<FormatToken> &tokens);

/// Numbers and strings in one spelling: `1E+05` is `1e5`, `.5` is `0.5`, and
/// `'a'` is `"a"`.
std::string canonicalLiteral(TokenKind kind, std::string_view text);

//===----------------------------------------------------------------------===//
// Names (BoundNames.cpp, ShortNames.cpp)
//===----------------------------------------------------------------------===//

/// The names that a file binds in any place: functions, constants, parameters,
/// results, type variables, core dimensions, variables. Of imports, only the
/// names that `as` gives in `from m import f as g`.
std::set<std::string> boundNames(const File &file);

/// Writes `float32` as `f32` and `np.sin` as `sin`, and removes the imports
/// that this leaves without use: each where no name that the file binds
/// anywhere could be meant instead.
void shortenNames(const File &file, std::vector<FormatToken> &tokens);

//===----------------------------------------------------------------------===//
// Spacing (Spacing.cpp) and rows (Rows.cpp)
//===----------------------------------------------------------------------===//

/// Where two neighbours stand.
struct TokenContext {
  /// The innermost open bracket, EndOfFile outside of all.
  TokenKind bracket = TokenKind::EndOfFile;
  /// The first of the two is a sign, not an operator between two values.
  bool afterSign = false;
};

/// Whether a space stands between two tokens of one line.
bool spaceBetween(const FormatToken &before, const FormatToken &after,
                  TokenContext context);

/// Whether `token` is a sign after `before`: an operator of one operand. At the
/// begin of a line `before` is null.
bool isSign(const FormatToken *before, const FormatToken &token);

/// What stands between two tokens, except for spaces.
struct Spacing {
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
    Spacing spacing; ///< before the token
    const FormatToken *token;
  };
  std::vector<Entry> tokens; ///< at least one, but for the row that ends a file
  unsigned level = 0;
  unsigned sourceColumn = 0; ///< where its first token stood
  std::string trailing;      ///< the comment after its last token
};

/// Puts tokens that are not removed into rows. The last row stands for the end
/// of the file and has EndOfFile alone. The rows refer to `tokens`.
std::vector<Row> makeRows(const std::vector<FormatToken> &tokens,
                          std::string_view source);

//===----------------------------------------------------------------------===//
// Text (Layout.cpp)
//===----------------------------------------------------------------------===//

/// Writes rows with their comments, indentation and empty lines.
std::string layOut(const std::vector<Row> &rows);

/// The text of a docstring whose first line moves from one column to another:
/// its other lines move as far, and lose their trailing blanks.
std::string movedDocstring(std::string_view text, unsigned from, unsigned to);

} // namespace kern::syntax

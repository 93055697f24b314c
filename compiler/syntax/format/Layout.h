//===- Layout.h - the steps of the formatter --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which they run: a file's tokens, short names, rows of tokens
// with their comments, and their text.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/Token.h"
#include "compiler/syntax/Tree.h"

#include <set>

namespace kern::compiler::syntax {

//===----------------------------------------------------------------------===//
// Tokens (Tokens.cpp)
//===----------------------------------------------------------------------===//

/// A token of a file, and what its line and block imply.
struct FormatToken {
  TokenKind kind = TokenKind::EndOfFile;
  uint32_t begin = 0, end = 0;
  std::string text;         ///< as it will be written
  unsigned level = 0;       ///< of the block that holds its line
  bool startsLine = false;  ///< the first token of a logical line
  bool isRemoved = false;   ///< not written; the comments around it are kept
  bool breaksAfter = false; ///< the next token begins a new line
  unsigned extraLevel = 0;  ///< levels of indentation that such a break adds
  bool isKeyword = false; ///< a word with spaces around it: `where` of a header
};

/// All tokens of a file that has no syntax errors, without structural tokens
/// (Newline, Indent, Dedent). The last is EndOfFile.
std::vector<FormatToken> readTokens(uint32_t file,
                                    const SourceManager &sources);

/// Marks where one line becomes several: at `;`, and at a block after `:`.
void splitLines(std::vector<FormatToken> &tokens);

/// Gives numbers and strings one spelling: `1E+05` is `1e5`, `.5` is `0.5`, and
/// `'a'` is `"a"`.
std::string canonicalLiteral(TokenKind kind, std::string_view text);

//===----------------------------------------------------------------------===//
// Names (ShortNames.cpp)
//===----------------------------------------------------------------------===//

/// Writes `float32` as `f32` and `np.sin` as `sin`, and removes imports that
/// this leaves unused. A name stays as it is if the file binds a name anywhere
/// that it could be confused with.
void shortenNames(const File &file, std::vector<FormatToken> &tokens);

//===----------------------------------------------------------------------===//
// Spacing (Spacing.cpp) and rows (Rows.cpp)
//===----------------------------------------------------------------------===//

/// The context of two neighbouring tokens.
struct TokenContext {
  /// The innermost open bracket, or EndOfFile outside all brackets.
  TokenKind bracket = TokenKind::EndOfFile;
  /// The first of the two is a unary sign, not a binary operator.
  bool afterSign = false;
  /// A colon stands before them in the same element of the bracket: `x: T = 1`.
  bool afterColon = false;
};

/// Whether a space stands between two tokens of one line.
bool spaceBetween(const FormatToken &before, const FormatToken &after,
                  TokenContext context);

/// Whether `token` is a unary sign when it follows `before`. `before` is null
/// at the beginning of a line.
bool isSign(const FormatToken *before, const FormatToken &token);

/// What lies between two tokens, except spaces.
struct Spacing {
  struct Comment {
    std::string text;         ///< from the `#` on
    unsigned column = 0;      ///< its column in the source
    unsigned level = 0;       ///< of the block that it belongs to
    bool emptyBefore = false; ///< an empty line stands before it
  };
  std::string trailing;          ///< the comment on the previous token's line
  std::vector<Comment> comments; ///< comments on lines of their own
  bool breaks = false;           ///< a line ends here
  bool emptyAtEnd = false;       ///< an empty line stands before the next token
};

/// One statement or header: the tokens of one line, if it were long enough.
struct Row {
  struct Entry {
    Spacing spacing; ///< before the token
    const FormatToken *token;
  };
  std::vector<Entry> tokens; ///< at least one, except in the file's last row
  unsigned level = 0;
  unsigned sourceColumn = 0; ///< its first token's column in the source
  std::string trailing;      ///< the comment after its last token
};

/// Puts tokens that are not removed into rows. The last row stands for the end
/// of the file and holds only EndOfFile. The rows refer to `tokens`.
std::vector<Row> makeRows(const std::vector<FormatToken> &tokens,
                          std::string_view source);

//===----------------------------------------------------------------------===//
// Text (Layout.cpp)
//===----------------------------------------------------------------------===//

/// Writes rows with their comments, indentation and empty lines.
std::string layOut(const std::vector<Row> &rows);

/// Moves a docstring's first line from one column to another. The other lines
/// move equally far and lose their trailing blanks.
std::string movedDocstring(std::string_view text, unsigned from, unsigned to);

} // namespace kern::compiler::syntax

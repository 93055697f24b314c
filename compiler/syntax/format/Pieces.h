//===- Pieces.h - the tokens that are laid out ---------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Token.h"

#include <string>
#include <string_view>
#include <vector>

namespace kern::syntax {

/// A token of a file, with what the lines and blocks around it say.
struct Piece {
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
std::vector<Piece> readPieces(uint32_t file, const SourceManager &sources);

/// Marks where one line becomes several: `;`, and the block after a `:`.
void splitLines(std::vector<Piece> &pieces);

/// Numbers and strings in one spelling: `1E+05` is `1e5`, `.5` is `0.5`, `'a'`
/// is
/// `"a"`.
std::string canonicalLiteral(TokenKind kind, std::string_view text);

} // namespace kern::syntax

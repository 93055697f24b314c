//===- Spacing.h - which tokens stand apart ------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/format/Pieces.h"

namespace kern::syntax {

/// Where two neighbours stand.
struct Surroundings {
  /// The innermost open bracket, EndOfFile outside of all.
  TokenKind bracket = TokenKind::EndOfFile;
  /// The first of the two is a sign, not an operator between two values.
  bool afterSign = false;
};

/// Whether a space stands between two tokens of one line.
bool spaceBetween(const Piece &before, const Piece &after,
                  Surroundings surroundings);

/// Whether `token` is a sign after `before`: an operator of one operand. At the
/// begin of a line `before` is null.
bool isSign(const Piece *before, const Piece &token);

} // namespace kern::syntax

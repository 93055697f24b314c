//===- Spacing.cpp - which tokens have spaces between them ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/Layout.h"

namespace kern::compiler::syntax {

/// Whether a value may end with this token.
static bool endsValue(const FormatToken &token) {
  switch (token.kind) {
  case TokenKind::Name:
    return !token.isKeyword;
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::Imaginary:
  case TokenKind::String:
  case TokenKind::FormatString:
  case TokenKind::True:
  case TokenKind::False:
  case TokenKind::None:
  case TokenKind::Ellipsis:
  case TokenKind::RParen:
  case TokenKind::RBracket:
  case TokenKind::RBrace:
    return true;
  default:
    return false;
  }
}

bool isSign(const FormatToken *before, const FormatToken &token) {
  if (token.kind == TokenKind::Tilde)
    return true;
  if (token.kind == TokenKind::At)
    return !before;
  return (token.kind == TokenKind::Plus || token.kind == TokenKind::Minus) &&
         (!before || !endsValue(*before));
}

bool spaceBetween(const FormatToken &before, const FormatToken &after,
                  TokenContext context) {
  using enum TokenKind;
  switch (after.kind) {
  case Comma:
  case Semicolon:
  case Question:
  case RParen:
  case RBracket:
  case RBrace:
    return false;
  case Colon: // `a[:, :]`
    return before.kind == Comma;
  case Dot:
    return before.kind == Integer; // `1.real` would begin with a float
  case LParen:
  case LBracket:
    if (endsValue(before))
      return false;
    break;
  default:
    break;
  }
  switch (before.kind) {
  case Dot:
  case LParen:
  case LBracket:
  case LBrace:
    return false;
  case Colon:
    return context.bracket != LBracket;
  default:
    break;
  }
  if (context.afterSign)
    return false;
  // `f(key=value)`, but `x: T = value`
  const bool equals = before.kind == Equal || after.kind == Equal;
  return !(equals && context.bracket == LParen && !context.afterColon);
}

} // namespace kern::compiler::syntax

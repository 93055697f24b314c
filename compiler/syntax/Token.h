//===- Token.h - a file's tokens --------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string_view>

namespace kern::compiler::syntax {

enum class TokenKind : uint8_t {
  // Structure. A file ends with a Newline, its Dedents and EndOfFile.
  EndOfFile,
  Newline,
  Indent,
  Dedent,
  /// Text that is not a token; the lexer has reported it.
  Error,
  // Words and literals.
  Name,
  Integer,
  Float,
  Imaginary,
  String,
  FormatString,
  // Keywords.
  And,
  Assert,
  Break,
  Const,
  Continue,
  Def,
  Elif,
  Else,
  False,
  For,
  From,
  Gufunc,
  If,
  Import,
  In,
  None,
  Not,
  Or,
  Pass,
  Return,
  True,
  Ufunc,
  While,
  // Python keywords without a meaning in Kern, reserved all the same.
  As,
  Is,
  Lambda,
  Foreign,
  // Brackets.
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  // Punctuation and operators.
  Comma,
  Colon,
  Semicolon,
  Dot,
  Ellipsis,
  Arrow,
  At,
  Question,
  ColonEqual,
  Plus,
  Minus,
  Star,
  Slash,
  SlashSlash,
  Percent,
  StarStar,
  Amp,
  Pipe,
  Caret,
  Tilde,
  LessLess,
  GreaterGreater,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  EqualEqual,
  NotEqual,
  Exclaim,
  AmpAmp,
  PipePipe,
  // Assignments.
  Equal,
  PlusEqual,
  MinusEqual,
  StarEqual,
  SlashEqual,
  SlashSlashEqual,
  PercentEqual,
  StarStarEqual,
  AmpEqual,
  PipeEqual,
  CaretEqual,
  LessLessEqual,
  GreaterGreaterEqual,
  AtEqual,
};

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  bool startsLine = false; ///< inside brackets: first token of its source line
  uint32_t begin = 0;      ///< byte offsets into the file
  uint32_t end = 0;
};

/// The keyword `word`, or Name if it is not one.
TokenKind keywordKind(std::string_view word);

} // namespace kern::compiler::syntax

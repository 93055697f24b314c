//===- Tokens.cpp - the tokens that are laid out --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/Layout.h"

#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/Literals.h"

namespace kern::compiler::syntax {

std::vector<FormatToken> readTokens(uint32_t file,
                                    const SourceManager &sources) {
  DiagnosticEngine ignored(sources);
  Lexer lexer(file, ignored);
  std::string_view text = sources.file(file).text();
  std::vector<FormatToken> tokens;
  unsigned level = 0;
  bool startsLine = true;
  for (;;) {
    const Token token = lexer.next();
    switch (token.kind) {
    case TokenKind::Indent:
      ++level;
      continue;
    case TokenKind::Dedent:
      --level;
      continue;
    case TokenKind::Newline:
      startsLine = true;
      continue;
    default:
      break;
    }
    FormatToken made;
    made.kind = token.kind;
    made.begin = token.begin;
    made.end = token.end;
    made.level = level;
    made.startsLine = startsLine;
    made.text = canonicalLiteral(
        token.kind, text.substr(token.begin, token.end - token.begin));
    tokens.push_back(std::move(made));
    if (token.kind == TokenKind::EndOfFile)
      return tokens;
    startsLine = false;
  }
}

static bool opens(TokenKind kind) {
  return kind == TokenKind::LParen || kind == TokenKind::LBracket ||
         kind == TokenKind::LBrace;
}
static bool closes(TokenKind kind) {
  return kind == TokenKind::RParen || kind == TokenKind::RBracket ||
         kind == TokenKind::RBrace;
}
static bool beginsItem(TokenKind kind) {
  return kind == TokenKind::Def || kind == TokenKind::Ufunc ||
         kind == TokenKind::Gufunc;
}
static bool hasBlock(TokenKind kind) {
  return beginsItem(kind) || kind == TokenKind::If || kind == TokenKind::Elif ||
         kind == TokenKind::Else || kind == TokenKind::While ||
         kind == TokenKind::For;
}

void splitLines(std::vector<FormatToken> &tokens) {
  TokenKind first = TokenKind::EndOfFile;
  unsigned depth = 0, extra = 0;
  bool inHeader = false;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    FormatToken &token = tokens[i];
    const FormatToken &next = tokens[i + 1];
    if (token.startsLine) {
      first = token.kind;
      depth = extra = 0;
      inHeader = hasBlock(first);
    }
    depth += opens(token.kind);
    depth -= closes(token.kind) && depth > 0;
    if (depth > 0)
      continue;
    if (token.kind == TokenKind::Colon && inHeader) {
      inHeader = false;
      if (!next.startsLine) {
        extra = 1;
        token.breaksAfter = true;
        token.extraLevel = extra;
      }
    } else if (token.kind == TokenKind::Semicolon) {
      token.isRemoved = true;
      if (!next.startsLine) {
        token.breaksAfter = true;
        token.extraLevel = extra;
      }
    } else if (token.kind == TokenKind::Name && token.text == "where" &&
               inHeader && beginsItem(first) && !token.startsLine &&
               tokens[i - 1].kind != first) {
      token.isKeyword = true;
    }
  }
}

static std::string canonicalNumber(std::string_view text) {
  std::string out(text);
  const bool hex = out.size() > 1 && out[0] == '0' && (out[1] | 0x20) == 'x';
  for (size_t i = 0; i < out.size(); ++i) {
    const char c = char(out[i] | 0x20);
    const bool marker =
        i == 1 && out[0] == '0' && (c == 'x' || c == 'o' || c == 'b');
    if (marker || (!hex && (c == 'e' || c == 'j')))
      out[i] = c;
  }
  auto isDigit = [&](size_t i) {
    return i < out.size() && out[i] >= '0' && out[i] <= '9';
  };
  // `1e+05` is `1e5`, and `1e-05` is `1e-5`.
  if (size_t at = hex ? out.npos : out.find('e'); at != out.npos) {
    ++at;
    if (out[at] == '+')
      out.erase(at, 1);
    at += out[at] == '-';
    while (out[at] == '0' && isDigit(at + 1))
      out.erase(at, 1);
  }
  const size_t point = out.find('.');
  if (point == std::string::npos)
    return out;
  if (!isDigit(point + 1))
    out.insert(point + 1, "0");
  if (point == 0)
    out.insert(0, "0");
  return out;
}

static std::string canonicalString(std::string_view text) {
  std::string out = withPlainLineEnds(text);
  const size_t quote = out.find_first_of("\"'");
  if (quote == std::string::npos || out[quote] == '"' ||
      out.find_first_of("\"\\") != std::string::npos)
    return out;
  const size_t width = out.substr(quote, 3) == "'''" ? 3 : 1;
  if (out.size() < quote + 2 * width)
    return out;
  for (size_t i = 0; i < width; ++i)
    out[quote + i] = out[out.size() - 1 - i] = '"';
  return out;
}

std::string canonicalLiteral(TokenKind kind, std::string_view text) {
  switch (kind) {
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::Imaginary:
    return canonicalNumber(text);
  case TokenKind::String:
    return canonicalString(text);
  default:
    return std::string(text);
  }
}

} // namespace kern::compiler::syntax

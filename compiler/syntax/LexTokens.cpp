//===- LexTokens.cpp - words, numbers, strings, operators -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/source/Utf8.h"
#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/UnicodeLetters.h"

#include <algorithm>
#include <iterator>

namespace kern::compiler::syntax {

namespace {
struct Spelling {
  std::string_view text;
  TokenKind kind;
};
} // namespace

TokenKind keywordKind(std::string_view word) {
  using enum TokenKind;
  static constexpr Spelling keywords[] = {
      {"False", False},    {"None", None},
      {"True", True},      {"and", And},
      {"as", As},          {"assert", Assert},
      {"async", Foreign},  {"await", Foreign},
      {"break", Break},    {"class", Foreign},
      {"const", Const},    {"continue", Continue},
      {"def", Def},        {"del", Foreign},
      {"elif", Elif},      {"else", Else},
      {"except", Foreign}, {"finally", Foreign},
      {"for", For},        {"from", From},
      {"global", Foreign}, {"gufunc", Gufunc},
      {"if", If},          {"import", Import},
      {"in", In},          {"is", Is},
      {"lambda", Lambda},  {"nonlocal", Foreign},
      {"not", Not},        {"or", Or},
      {"pass", Pass},      {"raise", Foreign},
      {"return", Return},  {"try", Foreign},
      {"ufunc", Ufunc},    {"while", While},
      {"with", Foreign},   {"yield", Foreign},
  };
  static_assert(std::ranges::is_sorted(keywords, {}, &Spelling::text));
  auto *found = std::ranges::lower_bound(keywords, word, {}, &Spelling::text);
  return found != std::end(keywords) && found->text == word ? found->kind
                                                            : Name;
}

Token Lexer::lexWord(size_t begin) {
  while (!atEnd()) {
    CodePoint point = decodeUtf8(text, pos);
    if (!point.valid || !continuesIdentifier(point.value))
      break;
    pos += point.length;
  }
  std::string_view word = text.substr(begin, pos - begin);
  if (word.size() <= 2 && (peek() == '"' || peek() == '\'')) {
    std::string prefix(word);
    for (char &c : prefix)
      c |= 0x20;
    if (prefix == "f" || prefix == "fr" || prefix == "rf" || prefix == "t")
      return lexString(begin, true);
    if (prefix == "r" || prefix == "b" || prefix == "u" || prefix == "br" ||
        prefix == "rb")
      return lexString(begin, false);
  }
  return make(keywordKind(word), begin);
}

/// `pos` is at the opening quote. A prefix may precede it.
Token Lexer::lexString(size_t begin, bool isFormat) {
  char quote = peek();
  size_t opening = pos;
  bool triple = peek(1) == quote && peek(2) == quote;
  pos += triple ? 3 : 1;
  while (!atEnd()) {
    char c = peek();
    if (c == '\\' && pos + 1 < text.size()) {
      pos += peek(1) == '\r' && peek(2) == '\n' ? 3 : 2;
      continue;
    }
    if (!triple && atLineEnd())
      break;
    if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
      pos += triple ? 3 : 1;
      return make(isFormat ? TokenKind::FormatString : TokenKind::String,
                  begin);
    }
    ++pos;
  }
  std::string closing(triple ? 3 : 1, quote);
  report(Diag::unterminated_string, begin, opening + closing.size(), {},
         triple ? "close it with `" + closing + "`"
                : "close it with `" + closing +
                      "` on the same line; put a text of several lines in "
                      "`\"\"\"`");
  return make(TokenKind::Error, begin);
}

Token Lexer::lexNumber(size_t begin) {
  bool good = true;
  auto isDigit = [](char c, int base) {
    if (base == 16)
      return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
    return c >= '0' && c < '0' + base;
  };
  // Digits with single underscores between them.
  auto digits = [&](int base) {
    if (!isDigit(peek(), base))
      return false;
    while (isDigit(peek(), base) || (peek() == '_' && isDigit(peek(1), base)))
      ++pos;
    return true;
  };
  TokenKind kind = TokenKind::Integer;
  char marker = peek() == '0' ? char(peek(1) | 0x20) : '\0';
  std::string help;
  if (marker == 'x' || marker == 'o' || marker == 'b') {
    pos += 2;
    if (peek() == '_')
      ++pos;
    good = digits(marker == 'x' ? 16 : marker == 'o' ? 8 : 2);
  } else {
    digits(10);
    std::string_view whole = text.substr(begin, pos - begin);
    bool leadingZero = whole.size() > 1 && whole[0] == '0' &&
                       whole.find_first_not_of("0_") != whole.npos;
    if (peek() == '.') {
      kind = TokenKind::Float;
      ++pos;
      digits(10);
    }
    if ((peek() | 0x20) == 'e') {
      bool sign = peek(1) == '+' || peek(1) == '-';
      if (isDigit(peek(sign ? 2 : 1), 10)) {
        kind = TokenKind::Float;
        pos += sign ? 2 : 1;
        digits(10);
      }
    }
    if ((peek() | 0x20) == 'j') {
      kind = TokenKind::Imaginary;
      ++pos;
    } else if (kind == TokenKind::Integer && leadingZero) {
      good = false;
      help = "an integer does not begin with 0; `0o17` is an octal number";
    }
  }
  // A suffix belongs to the malformed number: `1.0f`, `10L`, `3x`.
  size_t tail = pos;
  while (!atEnd()) {
    CodePoint point = decodeUtf8(text, pos);
    if (!point.valid || !continuesIdentifier(point.value))
      break;
    pos += point.length;
  }
  if (good && tail == pos)
    return make(kind, begin);
  std::string_view suffix = text.substr(tail, pos - tail);
  std::string number(text.substr(begin, std::min<size_t>(tail - begin, 40)));
  if (suffix == "f" || suffix == "F")
    help = "a literal takes the type of what it meets; to fix it write `f32(" +
           number + ")`";
  else if (suffix == "l" || suffix == "L" || suffix == "u" || suffix == "U")
    help = "integers have no suffixes; to fix the type write `i64(" + number +
           ")`";
  else if (suffix.starts_with('_'))
    help = "underscores go singly between digits";
  else if (help.empty() && !suffix.empty() && tail > begin)
    help = "a name does not begin with a digit, and a product is written with "
           "`*`";
  report(Diag::invalid_number, begin, pos,
         {std::string(text.substr(begin, std::min<size_t>(pos - begin, 40)))},
         std::move(help));
  return make(TokenKind::Error, begin);
}

Token Lexer::lexPunctuation(size_t begin) {
  using enum TokenKind;
  // Longer spellings first.
  static constexpr Spelling spellings[] = {
      {"...", Ellipsis},
      {"**=", StarStarEqual},
      {"//=", SlashSlashEqual},
      {"<<=", LessLessEqual},
      {">>=", GreaterGreaterEqual},
      {"->", Arrow},
      {":=", ColonEqual},
      {"**", StarStar},
      {"//", SlashSlash},
      {"<<", LessLess},
      {">>", GreaterGreater},
      {"<=", LessEqual},
      {">=", GreaterEqual},
      {"==", EqualEqual},
      {"!=", NotEqual},
      {"&&", AmpAmp},
      {"||", PipePipe},
      {"+=", PlusEqual},
      {"-=", MinusEqual},
      {"*=", StarEqual},
      {"/=", SlashEqual},
      {"%=", PercentEqual},
      {"&=", AmpEqual},
      {"|=", PipeEqual},
      {"^=", CaretEqual},
      {"@=", AtEqual},
      {"(", LParen},
      {")", RParen},
      {"[", LBracket},
      {"]", RBracket},
      {"{", LBrace},
      {"}", RBrace},
      {",", Comma},
      {":", Colon},
      {";", Semicolon},
      {".", Dot},
      {"@", At},
      {"?", Question},
      {"+", Plus},
      {"-", Minus},
      {"*", Star},
      {"/", Slash},
      {"%", Percent},
      {"&", Amp},
      {"|", Pipe},
      {"^", Caret},
      {"~", Tilde},
      {"<", Less},
      {">", Greater},
      {"!", Exclaim},
      {"=", Equal},
  };
  std::string_view rest = text.substr(pos);
  for (const Spelling &spelling : spellings) {
    if (!rest.starts_with(spelling.text))
      continue;
    pos += spelling.text.size();
    TokenKind kind = spelling.kind;
    if (kind == LParen || kind == LBracket || kind == LBrace)
      ++bracketDepth;
    else if ((kind == RParen || kind == RBracket || kind == RBrace) &&
             bracketDepth > 0)
      --bracketDepth;
    return make(kind, begin);
  }
  if (peek() == '\\') {
    ++pos;
    report(Diag::stray_backslash, begin, pos, {});
    return make(Error, begin);
  }
  return lexUnexpected(begin);
}

/// The ASCII for a code point that editors and web pages put in its place.
static std::string_view asciiFor(char32_t value) {
  switch (value) {
  case 0x2018:
  case 0x2019:
    return "'";
  case 0x201C:
  case 0x201D:
    return "\"";
  case 0x2010:
  case 0x2011:
  case 0x2012:
  case 0x2013:
  case 0x2212:
    return "-";
  case 0xD7:
  case 0x22C5:
  case 0xB7:
    return "*";
  case 0xF7:
    return "/";
  case 0x2264:
    return "<=";
  case 0x2265:
    return ">=";
  case 0x2260:
    return "!=";
  case 0x2192:
    return "->";
  case 0xB2:
    return "** 2";
  case 0xB3:
    return "** 3";
  case 0x221A:
    return "sqrt";
  case 0xFF08:
    return "(";
  case 0xFF09:
    return ")";
  case 0xFF0C:
    return ",";
  case 0xFF1A:
    return ":";
  default:
    return {};
  }
}

/// Reports one error for a run of characters that begin no token. Silent for
/// invalid UTF-8, which is already reported.
Token Lexer::lexUnexpected(size_t begin) {
  CodePoint first = decodeUtf8(text, pos);
  do {
    pos += decodeUtf8(text, pos).length;
  } while (!atEnd() && (unsigned char)text[pos] >= 0x80 &&
           !beginsIdentifier(decodeUtf8(text, pos).value));
  if (!first.valid)
    return make(TokenKind::Error, begin);
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string number;
  for (int shift = first.value > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4)
    number += digits[first.value >> shift & 15];
  std::string shown = "U+" + number;
  bool visible = first.value > 0x20 && first.value != 0x7F &&
                 !(first.value >= 0x80 && first.value <= 0xA0);
  if (visible)
    shown = "`" + std::string(text.substr(begin, first.length)) + "` (" +
            shown + ")";
  Help help;
  if (std::string_view ascii = asciiFor(first.value); !ascii.empty())
    help = Help::didYouMean(ascii);
  else if (first.value == 0xA0)
    help = {"this is a no-break space; write a plain space", " "};
  else if (first.value == '$' || first.value == '`')
    help = "names are made of letters, digits and `_`";
  report(Diag::unexpected_character, begin, begin + first.length, {shown},
         std::move(help));
  return make(TokenKind::Error, begin);
}

} // namespace kern::compiler::syntax

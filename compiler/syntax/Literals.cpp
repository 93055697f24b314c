//===- Literals.cpp - the values of literals ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/Literals.h"
#include "compiler/source/Utf8.h"

#include <charconv>
#include <limits>

namespace kern::compiler::syntax {

static int digitValue(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

std::optional<std::vector<uint64_t>> integerValue(std::string_view token) {
  unsigned base = 10;
  if (token.size() > 2 && token[0] == '0') {
    char marker = char(token[1] | 0x20);
    base = marker == 'x' ? 16 : marker == 'o' ? 8 : marker == 'b' ? 2 : 10;
    if (base != 10)
      token.remove_prefix(2);
  }
  std::vector<uint64_t> words = {0};
  for (char c : token) {
    if (c == '_')
      continue;
    auto carry = unsigned(digitValue(c));
    for (uint64_t &word : words) {
      const unsigned __int128 product =
          static_cast<unsigned __int128>(word) * base + carry;
      word = uint64_t(product);
      carry = unsigned(product >> 64);
    }
    if (carry)
      words.push_back(carry);
    if (words.size() > integerBits / 64)
      return std::nullopt;
  }
  return words;
}

double floatValue(std::string_view token) {
  std::string digits;
  digits.reserve(token.size());
  for (char c : token)
    if (c != '_' && c != 'j' && c != 'J')
      digits += c;
  double value = 0;
  auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc::result_out_of_range)
    return value;
  // The decimal position of the first nonzero digit, plus the exponent, tells
  // overflow from underflow.
  size_t e = digits.find_first_of("eE");
  std::string_view mantissa = std::string_view(digits).substr(0, e);
  size_t point = std::min(mantissa.find('.'), mantissa.size());
  size_t first = mantissa.find_first_of("123456789");
  bool exponentNegative = e != digits.npos && digits[e + 1] == '-';
  long long exponent = 0;
  if (e != digits.npos)
    for (char c : std::string_view(digits).substr(e + 1))
      if (c >= '0' && c <= '9' && exponent < 1'000'000'000'000)
        exponent = exponent * 10 + (c - '0');
  long long place = (long long)point - (long long)first +
                    (exponentNegative ? -exponent : exponent);
  return place > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

/// Reads up to `maxDigits` digits of `base` from `i` and moves `i` past them.
static unsigned readDigits(std::string_view text, size_t &i, unsigned base,
                           unsigned maxDigits) {
  unsigned value = 0;
  for (unsigned k = 0; k < maxDigits && i < text.size(); ++k, ++i) {
    unsigned digit = unsigned(digitValue(text[i]));
    if (digit >= base)
      break;
    value = value * base + digit;
  }
  return value;
}

std::string withPlainLineEnds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const bool isReturn = text[i] == '\r';
    out += isReturn ? '\n' : text[i];
    i += isReturn && i + 1 < text.size() && text[i + 1] == '\n';
  }
  return out;
}

std::string stringValue(std::string_view token) {
  bool raw = false;
  while (!token.empty() && token[0] != '"' && token[0] != '\'') {
    raw |= (token[0] | 0x20) == 'r';
    token.remove_prefix(1);
  }
  size_t quotes =
      token.size() >= 6 && token[1] == token[0] && token[2] == token[0] ? 3 : 1;
  std::string text =
      withPlainLineEnds(token.substr(quotes, token.size() - 2 * quotes));
  if (raw || text.find('\\') == text.npos)
    return text;
  std::string out;
  for (size_t i = 0; i < text.size();) {
    char c = text[i++];
    if (c != '\\' || i == text.size()) {
      out += c;
      continue;
    }
    char escape = text[i++];
    switch (escape) {
    case '\n':
      break;
    case '\\':
    case '\'':
    case '"':
      out += escape;
      break;
    case 'a':
      out += '\a';
      break;
    case 'b':
      out += '\b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'v':
      out += '\v';
      break;
    case 'x':
      appendUtf8(out, readDigits(text, i, 16, 2));
      break;
    case 'u':
      appendUtf8(out, readDigits(text, i, 16, 4));
      break;
    case 'U':
      appendUtf8(out, readDigits(text, i, 16, 8));
      break;
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
      --i;
      appendUtf8(out, readDigits(text, i, 8, 3));
      break;
    default: // unknown escapes stay as they are, as in Python
      out += '\\';
      out += escape;
    }
  }
  return out;
}

} // namespace kern::compiler::syntax

//===- LexerTest.cpp - lines, indentation and tokens ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/Lexer.h"
#include "Dump.h"
#include "compiler/syntax/Literals.h"
#include "compiler/syntax/UnicodeLetters.h"

#include <gtest/gtest.h>

namespace kern::compiler::syntax::test {
namespace {

/// The tokens as text: structure by name, everything else as it is written.
std::string tokens(std::string text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  uint32_t file = sources.add("f", std::move(text));
  Lexer lexer(file, diagnostics);
  std::string out;
  for (;;) {
    Token token = lexer.next();
    out += out.empty() ? "" : " ";
    switch (token.kind) {
    case TokenKind::EndOfFile:
      return out + "END";
    case TokenKind::Newline:
      out += "NEWLINE";
      break;
    case TokenKind::Indent:
      out += "INDENT";
      break;
    case TokenKind::Dedent:
      out += "DEDENT";
      break;
    case TokenKind::Error:
      out += "ERROR";
      break;
    default:
      out += sources.text({file, token.begin, token.end});
    }
  }
}

// The expected rows are those of CPython's tokenize, comments left out.
TEST(Lexer, BlocksByIndentation) {
  EXPECT_EQ(tokens(""), "END");
  EXPECT_EQ(tokens("\n  \n# c\n"), "END");
  EXPECT_EQ(tokens("a"), "a NEWLINE END");
  EXPECT_EQ(tokens("a\n  b\n  c\nd\n"),
            "a NEWLINE INDENT b NEWLINE c NEWLINE DEDENT d NEWLINE END");
  EXPECT_EQ(tokens("a\n b\n  c\n"),
            "a NEWLINE INDENT b NEWLINE INDENT c NEWLINE DEDENT DEDENT END");
  EXPECT_EQ(tokens("a\n b\n  c\nd"), "a NEWLINE INDENT b NEWLINE INDENT c "
                                     "NEWLINE DEDENT DEDENT d NEWLINE END");
}

TEST(Lexer, EmptyLinesAndCommentsMakeNoBlocks) {
  EXPECT_EQ(tokens("a\n  b\n\n# c\n      # c\n  c\n"),
            "a NEWLINE INDENT b NEWLINE c NEWLINE DEDENT END");
  EXPECT_EQ(tokens("a # c\nb"), "a NEWLINE b NEWLINE END");
}

TEST(Lexer, LinesJoin) {
  EXPECT_EQ(tokens("a(\n  b,\n# c\n\n  c)\nd"),
            "a ( b , c ) NEWLINE d NEWLINE END");
  EXPECT_EQ(tokens("a + \\\n      b\nc"), "a + b NEWLINE c NEWLINE END");
  EXPECT_EQ(tokens("a\r\n  b\rc"),
            "a NEWLINE INDENT b NEWLINE DEDENT c NEWLINE END");
  EXPECT_EQ(tokens("\\\n\\\n\na"), "a NEWLINE END");
}

TEST(Lexer, LongestOperatorWins) {
  EXPECT_EQ(tokens("a**=b//c<<=d->e:=f!=g"),
            "a **= b // c <<= d -> e := f != g NEWLINE END");
  EXPECT_EQ(tokens("a+++b"), "a + + + b NEWLINE END");
}

TEST(Lexer, NumbersAndStrings) {
  EXPECT_EQ(tokens("1_0 .5 1. 1.e3 2j 0xFf 0b1 a.b 1.5.x"),
            "1_0 .5 1. 1.e3 2j 0xFf 0b1 a . b 1.5 . x NEWLINE END");
  EXPECT_EQ(tokens("'a\\'b' \"'\" '''x\ny''' r'\\' \n"),
            "'a\\'b' \"'\" '''x\ny''' ERROR NEWLINE END");
  EXPECT_EQ(tokens("rb'x' f\"{y}\" rbx"), "rb'x' f\"{y}\" rbx NEWLINE END");
}

TEST(Lexer, IdentifiersAreUnicode) {
  EXPECT_EQ(tokens("σ² "), "σ ERROR NEWLINE END");
  EXPECT_EQ(tokens("Δx_1 + 漢字 + é + _"), "Δx_1 + 漢字 + é + _ NEWLINE END");
  EXPECT_EQ(parseFile("const μ = 1"), "(const μ 1)");
}

/// What CPython's unicodedata.normalize("NFKC", …) gives.
TEST(Lexer, NamesHaveANormalForm) {
  for (auto [written, normal] : {std::pair("a", "a"),
                                 {"ﬁ", "fi"},
                                 {"e\u0301", "é"},
                                 {"é", "é"},
                                 {"ｓｉｎ", "sin"},
                                 {"𝐱", "x"},
                                 {"ℵ", "א"},
                                 {"\u212A", "K"},
                                 {"\u212B", "\u00C5"},
                                 {"ſ", "s"},
                                 {"\u00B5", "\u03BC"},
                                 {"ｆ３２", "f32"},
                                 {"\u1100\u1161", "\uAC00"},
                                 {"e\u0301\u0327", "\u0229\u0301"}})
    EXPECT_EQ(normalName(written), normal) << written;
  // What is longer than anyone writes, and what is not text, stays.
  std::string marks = "e";
  for (int i = 0; i < 1000; ++i)
    marks += "\u0301";
  EXPECT_EQ(normalName(marks), marks);
  EXPECT_EQ(normalName("a\xFF"), "a\xFF");
  EXPECT_EQ(normalName(""), "");
}

TEST(Lexer, StringsHavePlainLineEnds) {
  EXPECT_EQ(stringValue("'''a\r\nb\rc\nd'''"), "a\nb\nc\nd");
  EXPECT_EQ(stringValue("r'''a\r\n\\b'''"), "a\n\\b");
  EXPECT_EQ(stringValue("'''a\\\r\nb\\r\\n'''"), "ab\r\n");
}

TEST(Lexer, ByteOrderMarkIsSkipped) {
  EXPECT_EQ(tokens("\xEF\xBB\xBF"
                   "a"),
            "a NEWLINE END");
}

TEST(Lexer, StatementKeywordEndsOpenBracket) {
  EXPECT_EQ(tokens("a\n  f(b,\n  return c\n"),
            "a NEWLINE INDENT f ( b , NEWLINE return c NEWLINE DEDENT END");
  EXPECT_EQ(tokens("f(a\ndef g"), "f ( a NEWLINE def g NEWLINE END");
}

TEST(Lexer, StringValues) {
  // Python's: 'a\tb\\c\x41\u00e9\101\q' and r'\n'.
  EXPECT_EQ(parseFile("'a\\tb\\\\c\\x41\\u00e9\\101\\q'"), "'a\tb\\cAé"
                                                           "A\\q'");
  EXPECT_EQ(parseFile("r'\\n'"), "'\\n'");
  EXPECT_EQ(parseFile("\"\"\"two\nlines \\\njoined\"\"\""),
            "'two\nlines joined'");
  EXPECT_EQ(parseFile("'a' \"b\""), "'ab'");
  EXPECT_EQ(parseFile("''"), "''");
}

} // namespace
} // namespace kern::compiler::syntax::test

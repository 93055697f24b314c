//===- RecoveryTest.cpp - several errors in one run -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include <gtest/gtest.h>

namespace kern::compiler::syntax::test {
namespace {

TEST(Recovery, ErrorsInSeveralItems) {
  Parsed parsed(R"py(const A = 1 +
const B = 2

ufunc f(x: T) -> T where T in (f32 f64):
    y = [1, 2]
    z = x ++ 1 2
    return y

def g(a b):
    if a = 1
        return lambda: 3
    return a)

x = 3

def h(a):
    return a
)py");
  EXPECT_EQ(parsed.errors(),
            "1:14 K0111, 4:36 K0131, 6:16 K0110, 9:9 K0131, "
            "10:10 K0160, 10:13 K0115, 11:16 K0145, 12:13 K0114, 14:1 K0119");
  ASSERT_EQ(parsed.tree.items.size(), 5u);
  EXPECT_EQ(dump(parsed.tree.items[1]), "(const B 2)");
  EXPECT_EQ(dump(parsed.tree.items[4]), "(def h (a) {(return a)})");
}

TEST(Recovery, UnclosedBracketDoesNotSwallowTheRest) {
  Parsed parsed("def f(x):\n"
                "    y = sqrt(x + 1\n"
                "    z = 2 $ 3\n"
                "    return y\n"
                "\n"
                "ufunc g(a,\n"
                "    return a\n"
                "\n"
                "const N = 3\n");
  EXPECT_EQ(parsed.errors(), "2:13 K0112, 3:11 K0102, 6:8 K0112");
  EXPECT_EQ(dump(parsed.tree.items.back()), "(const N 3)");
}

TEST(Recovery, UnclosedBracketBeforeWordsOfExpressions) {
  // `if` and `for` could go on in the bracket; the colon shows that they don't.
  Parsed parsed("def f(x):\n"
                "    y = (x + 1\n"
                "    if y = 3:\n"
                "        y = sum(x\n"
                "    for i in range(3):\n"
                "        y += None\n"
                "    return y\n");
  EXPECT_EQ(parsed.errors(), "2:9 K0112, 3:10 K0160, 4:16 K0112, 6:14 K0162");
  // And where they do go on, however indented:
  EXPECT_EQ(parseFile("const X = sum(i\nfor i in v\nif i)\n"),
            "(const X (call sum (gen i (for i v if i))))");
}

TEST(Recovery, AssignmentInAChoice) {
  EXPECT_EQ(Parsed("def f(x, k):\n    return x if k = 0 else y\n").errors(),
            "2:19 K0160");
}

TEST(Recovery, ForgottenCommaBetweenIndentedLines) {
  EXPECT_EQ(Parsed("const X = f(a\n            b)\nconst Y = 1 1\n").errors(),
            "2:13 K0131, 3:13 K0110");
}

TEST(Recovery, OneErrorPerLine) {
  EXPECT_EQ(Parsed("def f(x):\n    a b c ) ] d = = 3\n").errors(), "2:7 K0110");
}

TEST(Recovery, BlocksUnderBadHeadersAreRead) {
  EXPECT_EQ(Parsed("def f(x):\n"
                   "    while x y:\n"
                   "        a = {1}\n"
                   "    for 3 in x:\n"
                   "        b = None\n"
                   "    return\n")
                .errors(),
            "2:13 K0115, 3:13 K0142, 4:9 K0125, 5:13 K0162");
}

TEST(Recovery, AfterBadIndentation) {
  EXPECT_EQ(Parsed("def f(x):\n"
                   "      a = 1\n"
                   "    b = 2\n"
                   "    c = $\n"
                   "def g(x): return x y\n")
                .errors(),
            "3:1 K0104, 4:9 K0102, 5:20 K0110");
}

TEST(Recovery, ErrorsComeInTheOrderOfTheText) {
  Parsed parsed("const A = 012 + 'x'\nconst B = $\nconst C = (]\n");
  EXPECT_EQ(parsed.errors(), "1:11 K0106, 2:11 K0102, 3:12 K0113");
}

TEST(Recovery, NotesPointToTheOtherPlace) {
  Parsed parsed("const X = (1 + 2]\n");
  ASSERT_EQ(parsed.diagnostics.all().size(), 1u);
  const Diagnostic &diagnostic = parsed.diagnostics.all()[0];
  ASSERT_EQ(diagnostic.notes.size(), 1u);
  EXPECT_EQ(diagnostic.notes[0].span, (Span{0, 10, 11}));
}

} // namespace
} // namespace kern::compiler::syntax::test

//===- StatementTest.cpp - every form of statement ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include <gtest/gtest.h>

namespace kern::compiler::syntax::test {
namespace {

TEST(Statement, Assignments) {
  EXPECT_EQ(parseBody("x = 1"), "(= x 1)");
  EXPECT_EQ(parseBody("x = y = 1"), "(= x y 1)");
  EXPECT_EQ(parseBody("a, b = b, a"), "(= (tuple a b) (tuple b a))");
  EXPECT_EQ(parseBody("(a, (b, c)) = t"), "(= (tuple a (tuple b c)) t)");
  EXPECT_EQ(parseBody("a, = t"), "(= (tuple a) t)");
  EXPECT_EQ(parseBody("c[i, j] = 0.5"), "(= ([] c i j) 0.5)");
  EXPECT_EQ(parseBody("acc: f64 = 0"), "(: acc f64 0)");
  EXPECT_EQ(parseBody("acc: np.float32 = 0"), "(: acc float32 0)");
}

TEST(Statement, AugmentedAssignments) {
  for (const char *op :
       {"+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"})
    EXPECT_EQ(parseBody(std::string("h[e] ") + op + "= v"),
              "(" + std::string(op) + "= ([] h e) v)");
}

TEST(Statement, Simple) {
  EXPECT_EQ(parseBody("pass; break; continue; return"),
            "(pass) (break) (continue) (return)");
  EXPECT_EQ(parseBody("return a, b"), "(return (tuple a b))");
  EXPECT_EQ(parseBody("return (a, b);"), "(return (tuple a b))");
  EXPECT_EQ(parseBody("assert x > 0"), "(assert (cmp x > 0))");
  EXPECT_EQ(parseBody("assert x, 'no' \" x\""), "(assert x 'no x')");
  EXPECT_EQ(parseBody("f(x)"), "(expr (call f x))");
}

TEST(Statement, If) {
  EXPECT_EQ(parseBody("if a: x = 1; y = 2\nelse: x = 3"),
            "(if a {(= x 1) (= y 2)} {(= x 3)})");
  EXPECT_EQ(parseBody("if a:\n    pass\nelif b:\n    return\nelse:\n    x = 1"),
            "(if a {(pass)} {(if b {(return)} {(= x 1)})})");
  EXPECT_EQ(parseBody("if a:\n    if b: pass\n    else: pass\nz = 1"),
            "(if a {(if b {(pass)} {(pass)})}) (= z 1)");
}

TEST(Statement, Loops) {
  EXPECT_EQ(parseBody("while i < n:\n    i += 1\n    break"),
            "(while (cmp i < n) {(+= i 1) (break)})");
  EXPECT_EQ(parseBody("while x:\n    pass\nelse:\n    y = 1"),
            "(while x {(pass)} {(= y 1)})");
  EXPECT_EQ(parseBody("for i in x:\n    pass\nelse: pass"),
            "(for i x {(pass)} {(pass)})");
  EXPECT_EQ(parseBody("for i in range(n): pass"),
            "(for i (call range n) {(pass)})");
  EXPECT_EQ(parseBody("for i, j in prange(m, n):\n    c[i, j] = 0"),
            "(for (tuple i j) (call prange m n) {(= ([] c i j) 0)})");
  EXPECT_EQ(parseBody("for i, (a, b) in enumerate(zip(v, w)): pass"),
            "(for (tuple i (tuple a b)) (call enumerate (call zip v w)) "
            "{(pass)})");
}

// language.md: these words may be names.
TEST(Statement, WordsOfHeadersAreNames) {
  EXPECT_EQ(parseBody("where = where(dim, inout, prange)"),
            "(= where (call where dim inout prange))");
  EXPECT_EQ(parseBody("kernel = grad + jvp * vjp"),
            "(= kernel (+ grad (* jvp vjp)))");
  EXPECT_EQ(parseBody("match = case"), "(= match case)");
}

TEST(Statement, SpansAreExact) {
  Parsed parsed("def f():\n    if a:  # c\n        x = (1)\n    y = 2  \n");
  const Block &body = std::get<Function>(parsed.tree.items.at(0).node).body;
  ASSERT_EQ(body.size(), 2u);
  EXPECT_EQ(parsed.sources.text(body[0]->span), "if a:  # c\n        x = (1)");
  EXPECT_EQ(parsed.sources.text(body[1]->span), "y = 2");
}

} // namespace
} // namespace kern::compiler::syntax::test

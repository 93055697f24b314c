//===- CombinationTest.cpp - what functions of two parameters do ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Combination.h"

#include <gtest/gtest.h>

using namespace kern::compiler;

namespace {
Combination of(const std::string &value, const std::string &before = "") {
  return combinationOf(before + "ufunc f(x, y):\n    \"Both.\"\n    return " +
                           value + "\n",
                       "f");
}
} // namespace

TEST(Combination, OfEachBody) {
  const std::pair<const char *, Combination> bodies[] = {
      {"x + y", Combination::Add},
      {"x * y", Combination::Multiply},
      {"x & y", Combination::And},
      {"x | y", Combination::Or},
      {"x ^ y", Combination::Xor},
      {"maximum(x, y)", Combination::Maximum},
      {"np.maximum(x, y)", Combination::Maximum},
      {"max(x, y)", Combination::Maximum},
      {"minimum(x, y)", Combination::Minimum},
      {"min(x, y)", Combination::Minimum},
      {"logical_and(x, y)", Combination::LogicalAnd},
      {"x and y", Combination::LogicalAnd},
      {"np.logical_or(x, y)", Combination::LogicalOr},
      {"x or y", Combination::LogicalOr},
      // Others, or other operands.
      {"x - y", Combination::Other},
      {"y + x", Combination::Other},
      {"x + 1", Combination::Other},
      {"x + y + x", Combination::Other},
      {"x and y and x", Combination::Other},
      {"maximum(y, x)", Combination::Other},
      {"maximum(x, y, x)", Combination::Other},
      {"fmax(x, y)", Combination::Other},
      {"m.maximum(x, y)", Combination::Other},
      {"x", Combination::Other}};
  for (auto [value, expected] : bodies)
    EXPECT_EQ(of(value), expected) << value;
}

TEST(Combination, NamesOfTheSourceAreItsOwn) {
  EXPECT_EQ(of("maximum(x, y)", "def maximum(x, y):\n    return x\n"),
            Combination::Other);
  EXPECT_EQ(of("np.maximum(x, y)", "import m as np\n"), Combination::Other);
  EXPECT_EQ(of("x + y", "def maximum(x, y):\n    return x\n"),
            Combination::Add);
  EXPECT_TRUE(definesName("const sum = 1\n", "sum"));
  EXPECT_FALSE(definesName("const sum = 1\n", "prod"));
}

TEST(Combination, OfOtherFunctions) {
  EXPECT_EQ(combinationOf("ufunc f(x, y):\n    z = x\n    return x + y\n", "f"),
            Combination::Other);
  EXPECT_EQ(combinationOf("ufunc f(x, y, z):\n    return x + y\n", "f"),
            Combination::Other);
  EXPECT_EQ(combinationOf("ufunc g(x, y):\n    return x + y\n", "f"),
            Combination::Other);
  EXPECT_EQ(combinationOf("", "f"), Combination::Other);
}

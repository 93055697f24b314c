//===- DimensionTest.cpp - expressions of dimensions --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Dimension.h"

#include <gtest/gtest.h>

#include <array>

using namespace kern::runtime;

TEST(Dimension, TextAndValue) {
  auto lookup = [](const std::string &name) -> std::optional<int64_t> {
    if (name == "n")
      return 10;
    if (name == "k")
      return 3;
    if (name == "max")
      return 7;
    return std::nullopt;
  };
  auto check = [&](const std::vector<DimToken> &tokens, const char *written,
                   int64_t value) {
    DimExpr dim = {tokens};
    EXPECT_TRUE(isWellFormed(dim));
    EXPECT_EQ(text(dim), written);
    auto result = evaluate(dim, lookup);
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, value) << written;
  };
  check({"n"}, "n", 10);
  check({"n", "k", "-", "1", "+"}, "n - k + 1", 8);
  check({"n", "k", "1", "+", "-"}, "n - (k + 1)", 6);
  check({"n", "k", "+", "2", "*"}, "(n + k) * 2", 26);
  check({"n", "k", "//"}, "n // k", 3);
  check({"k", "n", "-", "4", "//"}, "(k - n) // 4", -2); // Python's floor
  check({"k", "n", "-", "4", "%"}, "(k - n) % 4", 1);
  check({"n", "k", "min", "2", "max"}, "max(min(n, k), 2)", 3);
  check({"1", "n", "k", "-", ">=0", "max"}, "max(1, n - k)", 7);
  auto negative = evaluate({{"1", "k", "n", "-", ">=0", "max"}}, lookup);
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().message,
            "the dimension `k - n` of a local array is negative: -7");
  check({"1", "n", "7", "k", "+", "==", "max"}, "max(1, n == 7 + k)", 10);
  check({"k", "n", "-", "0", "=="}, "k - n == 0", 0); // both are empty
  auto different = evaluate({{"1", "n", "k", "1", "+", "==", "max"}}, lookup);
  ASSERT_FALSE(different);
  EXPECT_EQ(different.error().message,
            "an array of `n` elements meets one of `k + 1`: these are 10 and "
            "4, and must be equal");
  // `$` keeps a name apart from the operator.
  check({"n", "k", "$max", "max", "+"}, "n + max(k, max)", 17);
  check({"$max"}, "max", 7);
  EXPECT_EQ(nameOf({{"$max"}}), "max");
  EXPECT_EQ(nameOf({{"n"}}), "n");
  EXPECT_EQ(nameOf({{"3"}}), std::nullopt);
  EXPECT_EQ(nameOf({{"n", "1", "+"}}), std::nullopt);
  EXPECT_TRUE(namesIn({{"n", "$min", "min"}}) ==
              (std::vector<std::string>{"n", "min"}));
  EXPECT_FALSE(isWellFormed({{"$"}}));
  EXPECT_FALSE(isWellFormed({{"max"}}));
  EXPECT_TRUE(namesIn({{"n", ">=0"}}) == std::vector<std::string>{"n"});
  EXPECT_FALSE(isWellFormed({{">=0"}}));
  EXPECT_FALSE(isWellFormed({{"n", "=="}}));
  EXPECT_FALSE(isWellFormed({{"n", "k"}}));
  EXPECT_FALSE(isWellFormed({{"+"}}));
  EXPECT_FALSE(isWellFormed({{}}));
  EXPECT_FALSE(evaluate({{"n", "0", "//"}}, lookup));
  EXPECT_FALSE(evaluate({{"m"}}, lookup));
  EXPECT_FALSE(evaluate({{"9223372036854775807", "n", "*"}}, lookup));
}

// Each call checks what constant indices and slices need, and says where.
TEST(Dimension, CallsCheckExtents) {
  FunctionInfo function;
  function.name = "moved";
  function.dims = {"n", "m"};
  KernelInfo kernel;
  // Of an iteration over `m`: 9 where there are some.
  kernel.leastExtents = {{{{"n", "1", "-"}}, {{"2"}}, "tail", 1, "a.kern:3:9"},
                         {{{"n"}},
                          {{"9", "m", "0", "max", "1", "min", "*"}},
                          "x",
                          0,
                          "a.kern:5:14"}};
  kernel.nonEmpty = {{{"n"}}};
  auto message = [&](int64_t n, int64_t m) {
    Status status = checkExtents(kernel, function, std::array{n, m});
    EXPECT_TRUE(status || status.error().status == KERN_ERROR_SHAPE);
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(message(9, 2), "");
  EXPECT_EQ(message(8, 0), "");
  EXPECT_EQ(message(8, 2),
            "`moved` at a.kern:5:14: `x` has 8 elements along axis 0 (`n`), "
            "and at least 9 are needed");
  EXPECT_EQ(message(2, 0),
            "`moved` at a.kern:3:9: `tail` has 1 element along axis 1 "
            "(`n - 1`), and at least 2 are needed");
  EXPECT_EQ(message(0, 0),
            "`moved` at a.kern:3:9: `tail` has 0 elements along axis 1 "
            "(`n - 1`), and at least 2 are needed");
  kernel.leastExtents[0].least = {{"1"}};
  EXPECT_EQ(message(1, 0),
            "`moved` at a.kern:3:9: `tail` has 0 elements along axis 1 "
            "(`n - 1`), and at least 1 is needed");
  // Without a value, as by dividing by zero, nothing is needed.
  kernel.leastExtents = {
      {{{"n", "m", "//"}}, {{"3"}}, "x", 0, "a.kern:1:1"},
      {{{"n"}}, {{"9223372036854775807", "m", "*"}}, "x", 0, "a.kern:1:1"}};
  EXPECT_EQ(message(1, 0), "");
  EXPECT_EQ(message(6, 2), "");
  EXPECT_EQ(
      message(5, 2),
      "`moved` at a.kern:1:1: `x` has 2 elements along axis 0 (`n // m`), "
      "and at least 3 are needed");
  kernel.leastExtents.clear();
  EXPECT_EQ(message(0, 0),
            "`moved`: a reduction without a value for an empty range runs over "
            "`n`, which is 0");
}

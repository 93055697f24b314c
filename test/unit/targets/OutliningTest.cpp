//===- OutliningTest.cpp - which bodies stay functions, and are paired ----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "gtest/gtest.h"

using namespace kern::compiler::nvptx;

TEST(Outlining, HintsInlineWhatIsNotTooMuch) {
  struct Row {
    BodyFacts facts;
    bool isInlined;
  };
  const Row rows[] = {
      {{125, 2, 13, 0, 8}, true},    // eight times 125
      {{126, 2, 13, 0, 8}, false},   // and more
      {{250, 2, 7, 0, 4}, true},     // f64: four elements
      {{5000, 2, 9, 0, 0}, true},    // no hints, nothing to do
      {{100, 2, 13, 512, 8}, true},  // local arrays
      {{100, 2, 13, 520, 8}, false}, // too many of them
  };
  for (const Row &row : rows)
    EXPECT_EQ(isInlinedByHint(row.facts), row.isInlined)
        << row.facts.instructions << " instructions, " << row.facts.hintedCalls
        << " calls";
}

TEST(Outlining, ShortBodiesAreInlinedForFewElementsToo) {
  EXPECT_FALSE(isKeptForFew({15, 2, 13}));
  EXPECT_TRUE(isKeptForFew({16, 2, 13}));
}

TEST(Outlining, IsForBodiesThatAreLargeForTheirValues) {
  struct Row {
    BodyFacts facts;
    bool isOutlined;
  };
  const Row rows[] = {
      {{1, 3, 5}, false},         // x + y
      {{95, 3, 5}, false},        // just below
      {{96, 3, 5}, true},         // just there
      {{96, 4, 5}, false},        // more to hand over
      {{10000, 3, 1}, false},     // called once
      {{10000, 3, 2}, false},     // and its tail
      {{10000, 3, 9}, true},      // in two forms
      {{10, 3, 1, 16384}, false}, // local arrays, called once
      {{10, 3, 2, 16384}, true},  // and twice
      {{10, 3, 8, 512}, false},   {{10, 3, 9, 512}, true},
      {{0, 0, 5}, true}, // an empty body costs nothing either way
  };
  for (const Row &row : rows)
    EXPECT_EQ(isOutlined(row.facts), row.isOutlined)
        << row.facts.instructions << " instructions, " << row.facts.values
        << " values, " << row.facts.calls << " calls";
}

TEST(Pairing, IsSearchedInShortCodeAndAmongManyHalves) {
  EXPECT_FALSE(isPaired(0, 100));
  EXPECT_TRUE(isPaired(8, 268));    // x * tanh(x)
  EXPECT_TRUE(isPaired(25, 300));   // x * log(y)
  EXPECT_FALSE(isPaired(25, 770));  // sin(x) * cos(y)
  EXPECT_FALSE(isPaired(25, 725));  // x // y + y
  EXPECT_TRUE(isPaired(240, 5000)); // long polynomials of halves
}

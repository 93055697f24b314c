//===- OutliningTest.cpp - which bodies stay functions --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "gtest/gtest.h"

using namespace kern::compiler::nvptx;

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

//===- PartsTest.cpp - how files are cut into parts -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline/Parts.h"

#include "gtest/gtest.h"

using namespace kern;

TEST(Parts, BeginWhereThePartBeforeIsLargeEnough) {
  struct Row {
    std::vector<size_t> operations, begins;
  };
  const Row rows[] = {
      {{}, {0}},
      {{5}, {0}},
      {{100000}, {0}},
      // 950 operations and 50 for the function are a part.
      {{950, 1}, {0, 1}},
      {{949, 1}, {0}},
      {{949, 1, 1}, {0, 2}},
      // Twenty functions of nothing are a part, by what a function costs.
      {std::vector<size_t>(20, 0), {0}},
      {std::vector<size_t>(41, 0), {0, 20, 40}},
      {{1, 1, 100000, 1, 1}, {0, 3}},
  };
  for (const Row &row : rows)
    EXPECT_EQ(partBegins(row.operations), row.begins)
        << row.operations.size() << " functions";
}

TEST(Parts, AreOneTextWithOneHeader) {
  const std::string header = "//\n\n.version 7.8\n.target sm_90\n"
                             ".address_size 64\n";
  const std::string texts[] = {header + "\na\n", header + "\nb\n",
                               header + "c\n"};
  EXPECT_EQ(joinPtx(texts), header + "\na\n\nb\nc\n");
  EXPECT_EQ(joinPtx({texts, 1}), texts[0]);
  EXPECT_EQ(joinPtx({}), "");
}

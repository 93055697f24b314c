//===- HostPolicyTest.cpp - the vectors of CPU kernels --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Policy.h"

#include "gtest/gtest.h"

using namespace kern::ir::loop;

TEST(LanePolicy, Table) {
  struct Row {
    VectorFacts facts;
    bool runsInLanes;
    VectorShape shape;
  };
  const Row table[] = {
      // widest value, operations, calls, loops, waits -> in lanes; lanes,
      // vectors
      {{4, 10, false, false}, false, {16, 2}},
      {{4, 25, false, false}, true, {16, 1}},
      {{4, 3, true, false}, true, {16, 1}},
      {{8, 3, false, true}, true, {8, 1}},
      {{4, 3, false, true}, true, {16, 1}},
      {{2, 100, true, true}, true, {32, 1}},
      {{2, 100, true, true, true}, true, {16, 1}},
      {{1, 100, false, true}, true, {64, 1}},
      {{1, 100, false, true, true}, true, {16, 1}},
      {{8, 3, false, true, true}, true, {8, 1}},
      {{16, 5, false, true}, true, {8, 1}},
  };
  for (const Row &row : table) {
    SCOPED_TRACE(&row - table);
    EXPECT_EQ(runsInLanes(row.facts), row.runsInLanes);
    EXPECT_EQ(laneShape(row.facts), row.shape);
  }
}

TEST(LanePolicy, TakesShortCoresAcrossElements) {
  EXPECT_TRUE(runsAcrossElements(6));
  EXPECT_TRUE(runsAcrossElements(64));
  EXPECT_FALSE(runsAcrossElements(65));
}

TEST(HostPolicy, OperandsOfFewElementsPassInVectors) {
  EXPECT_TRUE(passesInVectors(1, 8));
  EXPECT_TRUE(passesInVectors(16, 8));
  EXPECT_TRUE(passesInVectors(3, 64));
  EXPECT_FALSE(passesInVectors(0, 8));
  EXPECT_FALSE(passesInVectors(17, 8));
  EXPECT_FALSE(passesInVectors(16, 16));
}

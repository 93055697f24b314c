//===- PolicyTest.cpp - the shape of GPU kernels --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Policy.h"

#include "gtest/gtest.h"

using namespace kern::loop;

TEST(ContiguousPolicy, Table) {
  struct Row {
    ContiguousFacts facts;
    ContiguousShape shape;
  };
  const Row table[] = {
      // arrays, widest element -> elements of a chunk, chunks, block
      {{3, 1}, {16, 1, 256}}, {{3, 2}, {8, 1, 256}}, {{3, 4}, {4, 1, 256}},
      {{3, 8}, {2, 1, 256}},  {{2, 4}, {4, 1, 256}}, {{5, 16}, {1, 1, 256}},
      {{1, 4}, {4, 2, 256}},
  };
  for (const Row &row : table)
    EXPECT_EQ(contiguousShape(row.facts), row.shape)
        << row.facts.arrays << " arrays of " << row.facts.widest;
}

TEST(ContiguousPolicy, EveryRemainderHasAThread) {
  for (unsigned widest : {1, 2, 4, 8, 16}) {
    ContiguousShape shape = contiguousShape({3, widest});
    EXPECT_GT(shape.block, shape.vector);
    EXPECT_EQ(shape.vector & (shape.vector - 1), 0u) << "not a power of two";
  }
}

//===- PolicyTest.cpp - the shape of GPU kernels --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Policy.h"

#include "gtest/gtest.h"

using namespace kern::ir::loop;

TEST(ContiguousPolicy, Table) {
  struct Row {
    OperandShapes facts;
    ContiguousShape shape;
    unsigned computeCapability = 90;
  };
  const Row table[] = {
      // arrays, widest element, scalar work, widest beside scalars, tiny, long,
      // widest result
      // -> elements, of an access, full path, of an access there, block
      {{3, 1}, {16, 16, false, 16, 256}},
      {{3, 2}, {8, 8, false, 8, 256}},
      {{3, 4}, {4, 4, false, 4, 256}},
      {{3, 8}, {2, 2, false, 2, 256}},
      {{2, 4}, {4, 4, false, 4, 128}},
      {{5, 16}, {1, 1, false, 1, 256}},
      {{1, 4}, {8, 4, true, 4, 256}},
      {{4, 4, true}, {8, 4, true, 4, 128}},
      {{3, 4, false, 4, true}, {4, 4, true, 4, 256}},
      {{3, 8, true, 2}, {16, 2, true, 8, 128}},
      {{3, 16, true, 1}, {32, 1, true, 16, 128}},
      // Long bodies: more elements, if they are few.
      {{2, 4, false, 4, false, true}, {8, 4, true, 4, 128}},
      {{2, 8, false, 8, false, true}, {4, 2, true, 2, 128}},
      {{2, 2, false, 2, false, true}, {8, 8, true, 8, 128}},
      {{3, 4, false, 4, false, true}, {8, 4, true, 4, 128}},
      {{5, 4, false, 4, false, true}, {4, 4, true, 4, 128}},
      // Truth values of f64, of f32 and of f16.
      {{2, 8, false, 8, true, false, 1}, {4, 2, true, 2, 128}},
      {{2, 4, false, 4, true, false, 1}, {8, 4, true, 4, 128}},
      {{2, 2, false, 2, true, false, 1}, {8, 8, true, 8, 128}},
      // Behind a mask, which is read first: more in flight, if registers allow.
      {{3, 4, false, 4, true, false, 4, true}, {8, 4, true, 4, 256}},
      {{3, 8, false, 8, false, false, 8, true}, {4, 2, true, 2, 256}},
      {{3, 2, false, 2, true, false, 2, true}, {16, 8, true, 8, 256}},
      {{3, 2, false, 2, false, false, 2, true}, {8, 8, false, 8, 256}},
      {{5, 4, false, 4, false, false, 4, true}, {4, 4, false, 4, 256}},
      {{3, 4, false, 4, true, false, 4, true}, {8, 8, true, 8, 256}, 100},
      // From sm_100 on accesses are twice as wide, and one of them replaces
      // two.
      {{3, 1}, {32, 32, false, 32, 256}, 100},
      {{3, 4}, {8, 8, false, 8, 256}, 100},
      {{3, 8}, {4, 4, false, 4, 256}, 110},
      {{5, 16}, {2, 2, false, 2, 256}, 120},
      {{1, 4}, {8, 8, true, 8, 256}, 100},
      {{4, 4, true}, {8, 8, true, 8, 128}, 100},
      {{3, 4, false, 4, true}, {8, 8, true, 8, 256}, 100},
      {{3, 8, true, 2}, {16, 4, true, 16, 128}, 121},
      {{2, 8, false, 8, false, true}, {4, 4, true, 4, 128}, 100},
  };
  for (const Row &row : table)
    EXPECT_EQ(contiguousShape(row.facts, row.computeCapability), row.shape)
        << row.facts.arrays << " arrays of " << row.facts.widest << " on sm_"
        << row.computeCapability;
}

TEST(ContiguousPolicy, AccessesAreAsWideAsTheGpuHasThem) {
  // PTX ISA 8.8, ld and st: .v8 .b32 and .v4 .b64 need sm_100 or higher.
  for (unsigned capability : {75u, 80u, 89u, 90u, 99u})
    EXPECT_EQ(widestAccess(capability), 16u) << capability;
  for (unsigned capability : {100u, 103u, 110u, 121u, 130u})
    EXPECT_EQ(widestAccess(capability), 32u) << capability;
}

TEST(LaunchPolicy, KernelsWaitThemselvesWhereTheGpuHasTheInstruction) {
  // PTX ISA 7.8, griddepcontrol: requires sm_90 or higher.
  for (unsigned capability : {75u, 80u, 89u})
    EXPECT_FALSE(waitsItself(capability)) << capability;
  for (unsigned capability : {90u, 100u, 121u})
    EXPECT_TRUE(waitsItself(capability)) << capability;
}

TEST(ContiguousPolicy, EveryRemainderHasAThread) {
  for (unsigned capability : {75, 100})
    for (unsigned widest : {1, 2, 4, 8, 16})
      for (unsigned narrow : {1, 2, 4, 8, 16}) {
        if (narrow > widest)
          continue;
        ContiguousShape shape =
            contiguousShape({3, widest, true, narrow}, capability);
        EXPECT_GT(shape.block, shape.vector);
        EXPECT_EQ(shape.vector & (shape.vector - 1), 0u) << "no power of two";
        EXPECT_EQ(shape.elements % shape.vector, 0u);
        EXPECT_EQ(shape.elements % shape.fullVector, 0u);
      }
}

TEST(InnerPolicy, Table) {
  struct Row {
    OperandShapes facts;
    InnerShape shape;
  };
  const Row table[] = {
      // arrays, widest element -> elements of a chunk, rows, block
      {{3, 1}, {16, 2, 256}}, {{3, 4}, {4, 2, 256}}, {{4, 8}, {2, 2, 256}},
      {{5, 4}, {4, 1, 256}},  {{9, 2}, {8, 1, 256}},
  };
  for (const Row &row : table)
    EXPECT_EQ(innerShape(row.facts), row.shape)
        << row.facts.arrays << " arrays of " << row.facts.widest;
}

TEST(StridedPolicy, Table) {
  EXPECT_EQ(stridedShape({2, 1}), (StridedShape{4, 256}));
  EXPECT_EQ(stridedShape({5, 16}), (StridedShape{4, 256}));
  EXPECT_EQ(stridedShape({6, 4}), (StridedShape{2, 256}));
}

TEST(TiledPolicy, TwoTilesFitIntoSharedMemory) {
  EXPECT_EQ(tileShape({3, 1}), (TileShape{64, 16}));
  EXPECT_EQ(tileShape({3, 4}), (TileShape{64, 16}));
  EXPECT_EQ(tileShape({3, 8}), (TileShape{32, 8}));
  for (unsigned widest : {1, 2, 4, 8, 16}) {
    TileShape shape = tileShape({3, widest});
    EXPECT_EQ(shape.edge % shape.rows, 0u);
    EXPECT_EQ(shape.edge % 32, 0u);
    EXPECT_LE(2 * shape.edge * (shape.edge + 1) * widest, 48u << 10);
  }
}

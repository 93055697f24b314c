//===- ScratchTest.cpp - where local arrays lie in memory -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/Scratch.h"

#include "gtest/gtest.h"

using namespace kern::runtime;

static Geometry geometry() {
  Geometry out;
  out.items = 10;
  out.group = 4;
  out.slices = 3;
  return out;
}

TEST(Scratch, SlotsLieOneAfterTheOther) {
  ScratchLayout out =
      layOut(std::vector<ScratchSize>{{.bytes = 32},
                                      {.bytes = 16, .isPerLane = true},
                                      {.bytes = 8, .isPerSlice = true}},
             KernelInfo{}, geometry());
  ASSERT_EQ(out.slots.size(), 3u);
  EXPECT_EQ(out.slots[1].offset, 320);
  EXPECT_EQ(out.slots[1].bytes, 16) << "of one lane";
  EXPECT_EQ(out.slots[2].offset, 320 + 1920) << "each slice has its lanes";
  EXPECT_EQ(out.slots[2].bytes, 32) << "of three slices, and one more";
  EXPECT_EQ(out.bytes, 320u + 1920 + 320);
  EXPECT_EQ(out.clearedFrom, out.bytes);
}

TEST(Scratch, WhatIsClearedComesLast) {
  std::vector<ScratchSize> sizes = {
      {.bytes = 48, .isCleared = true}, {.bytes = 32}, {.bytes = 16}};
  ScratchLayout out = layOut(sizes, KernelInfo{}, geometry());
  EXPECT_EQ(out.slots[1].offset, 0);
  EXPECT_EQ(out.slots[2].offset, 320);
  EXPECT_EQ(out.slots[0].offset, 480);
  EXPECT_EQ(out.clearedFrom, 480u);
  EXPECT_EQ(out.bytes, 960u);
  // So are the words of slices that work at the same time.
  KernelInfo together;
  together.mapping.sliced = together.mapping.resident = true;
  sizes[1].isPerSlice = true;
  out = layOut(sizes, together, geometry());
  EXPECT_EQ(out.slots[2].offset, 0);
  EXPECT_EQ(out.clearedFrom, 160u);
}

//===- PtxTest.cpp - which PTX is made ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Architectures.h"
#include "compiler/targets/nvptx/Codegen.h"
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace kern::compiler;

TEST(Ptx, DeclaresTheOldestVersionThatServesTheGpu) {
  auto version = [](unsigned computeCapability) {
    return nvptx::architectureFor(computeCapability)->ptxVersion;
  };
  // PTX ISA 9.0, release notes: the version that introduced each target; 8.8
  // where that has no accesses of 32 bytes.
  EXPECT_EQ(version(75), 63u);
  EXPECT_EQ(version(80), 70u);
  EXPECT_EQ(version(86), 71u);
  EXPECT_EQ(version(89), 78u);
  EXPECT_EQ(version(90), 78u);
  EXPECT_EQ(version(100), 88u);
  EXPECT_EQ(version(110), 90u);
  EXPECT_EQ(version(120), 88u);
}

TEST(Ptx, TakesTheNearestLowerArchitecture) {
  struct Row {
    unsigned computeCapability, chosen;
  };
  const Row rows[] = {{75, 75},   {76, 75},   {80, 80},   {87, 87},
                      {90, 90},   {99, 90},   {100, 100}, {101, 100},
                      {103, 103}, {110, 110}, {115, 110}, {121, 121},
                      {130, 121}, {200, 121}};
  for (Row row : rows) {
    const nvptx::Architecture *chosen =
        nvptx::architectureFor(row.computeCapability);
    ASSERT_NE(chosen, nullptr) << row.computeCapability;
    EXPECT_EQ(chosen->computeCapability, row.chosen);
  }
  for (unsigned older : {0, 50, 70, 74})
    EXPECT_EQ(nvptx::architectureFor(older), nullptr) << older;
}

TEST(Ptx, LeavesOutPassesByWhatThereIs) {
  struct Row {
    nvptx::CodeFacts facts;
    bool sinks, reducesStrength;
  };
  const Row rows[] = {{{0, false}, true, false},
                      {{3999, false}, true, false},
                      {{3999, true}, true, true},
                      {{4000, false}, false, false},
                      {{100000, true}, false, true}};
  for (const Row &row : rows) {
    auto names = nvptx::unwantedPasses(row.facts);
    auto runs = [&](llvm::StringRef pass) {
      return !llvm::is_contained(names, pass);
    };
    EXPECT_FALSE(runs("slsr"));
    EXPECT_TRUE(runs("load-store-vectorizer"));
    EXPECT_EQ(runs("machine-sink"), row.sinks) << row.facts.largest;
    EXPECT_EQ(runs("loop-reduce"), row.reducesStrength) << row.facts.largest;
  }
}

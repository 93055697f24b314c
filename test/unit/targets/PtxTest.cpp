//===- PtxTest.cpp - which PTX is made ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Codegen.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace kern;

TEST(Ptx, DeclaresTheOldestVersionThatKnowsTheGpu) {
  // PTX ISA 9.0, release notes: the version that introduced each target.
  EXPECT_EQ(nvptx::ptxVersion(75), 63u);
  EXPECT_EQ(nvptx::ptxVersion(80), 70u);
  EXPECT_EQ(nvptx::ptxVersion(86), 71u);
  EXPECT_EQ(nvptx::ptxVersion(89), 78u);
  EXPECT_EQ(nvptx::ptxVersion(90), 78u);
  EXPECT_EQ(nvptx::ptxVersion(100), 86u);
  EXPECT_EQ(nvptx::ptxVersion(120), 87u);
}

TEST(Ptx, KnowsWhatItSupports) {
  for (unsigned sm : {75, 80, 86, 87, 88, 89, 90, 100, 103, 120, 121})
    EXPECT_TRUE(nvptx::isSupported(sm)) << sm;
  for (unsigned sm : {0, 50, 70, 76, 99, 130})
    EXPECT_FALSE(nvptx::isSupported(sm)) << sm;
}

TEST(Ptx, TakesLargeFunctionsWithoutQuadraticPasses) {
  auto isLeftOut = [](size_t instructions, llvm::StringRef pass) {
    return llvm::is_contained(nvptx::unwantedPasses(instructions), pass);
  };
  for (size_t instructions : {0, 100, 3999, 4000, 100000}) {
    EXPECT_TRUE(isLeftOut(instructions, "slsr")) << instructions;
    EXPECT_EQ(isLeftOut(instructions, "machine-sink"), instructions >= 4000);
  }
}

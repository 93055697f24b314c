//===- ManifestNestTest.cpp - what manifests say of nests -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/runtime/ManifestSample.h"

#include <gtest/gtest.h>

using namespace kern::runtime;

TEST(ManifestNest, HasTheTilesOfNests) {
  Manifest manifest = sample();
  Nest &nest = manifest.functions[0].loops[0].nest;
  nest.flat = {{{"n", "k", "-", "1", "+"}}};
  nest.hasLoops = true;
  nest.tiles = {{1, 256, 128}};
  nest.unrolled = {.iterations = {{"k"}},
                   .tiles = {{1, 512, 128}, {1, 1024, 128, 1, true}},
                   .rowOperands = {0, 2}};
  KernelInfo &kernel = manifest.functions[0].loops[0].kernels[0];
  kernel.mapping = {.flat = true, .unrolled = true, .tile = 1024};
  auto read = manifestFromJson(toJson(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].nest, nest);
  EXPECT_EQ(read->functions[0].loops[0].kernels[0].mapping, kernel.mapping);
  auto isRefused = [&] { return !manifestFromJson(toJson(manifest)); };
  kernel.mapping.unrolled = false;
  EXPECT_TRUE(isRefused()) << "a tile of unrolled nests alone";
  kernel.mapping = {.flat = true, .unrolled = true};
  EXPECT_TRUE(isRefused()) << "unrolled without tiles";
  kernel.mapping = {.flat = true};
  EXPECT_FALSE(isRefused());
  nest.unrolled.rowOperands = {3};
  EXPECT_TRUE(isRefused()) << "there is no such operand";
}

TEST(ManifestNest, SaysWhichNestsRecentre) {
  Manifest manifest = sample();
  Nest &nest = manifest.functions[0].loops[0].nest;
  nest.hasLoops = true;
  nest.launches = 3;
  nest.residentChunks = 8;
  nest.residentExtent = {{"n"}};
  nest.recentres = true;
  KernelInfo &kernel = manifest.functions[0].loops[0].kernels[0];
  kernel.mapping = {
      .sliced = true, .resident = true, .chunks = 8, .recentred = true};
  EXPECT_EQ(text(kernel.mapping), "sliced, recentred, resident 8");
  auto read = manifestFromJson(toJson(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].nest, nest);
  EXPECT_EQ(read->functions[0].loops[0].kernels[0].mapping, kernel.mapping);
}

TEST(ManifestNest, SaysWhichResultsAreWrittenWhole) {
  Manifest manifest = sample();
  Nest &nest = manifest.functions[0].loops[0].nest;
  nest.whole = {2};
  auto read = manifestFromJson(toJson(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].nest, nest);
  nest.whole = {3};
  EXPECT_FALSE(manifestFromJson(toJson(manifest))) << "no such operand";
}

TEST(ManifestNest, SaysWhichStagesSpread) {
  Manifest manifest = sample();
  Nest &nest = manifest.functions[0].loops[0].nest;
  nest.stages = {{.operand = 0, .bytes = {{"528"}}, .spreadBytes = 1040}};
  KernelInfo &kernel = manifest.functions[0].loops[0].kernels[0];
  kernel.mapping = {.staged = true, .spread = true};
  EXPECT_EQ(text(kernel.mapping), "staged, spread");
  auto read = manifestFromJson(toJson(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].nest, nest);
  EXPECT_EQ(read->functions[0].loops[0].kernels[0].mapping, kernel.mapping);
  auto isRefused = [&] { return !manifestFromJson(toJson(manifest)); };
  nest.stages[0].spreadBytes = 0;
  EXPECT_TRUE(isRefused()) << "spread without a loop in order";
  nest.stages[0].spreadBytes = 1040;
  kernel.mapping.staged = false;
  EXPECT_TRUE(isRefused()) << "spread without stages";
}

TEST(ManifestNest, HasThePhasesOfANest) {
  Manifest manifest = sample();
  Nest &nest = manifest.functions[0].loops[0].nest;
  Nest phase;
  phase.flat = {{{"n"}}};
  phase.hasLoops = true;
  phase.tiles = {{1, 256, 128}};
  phase.roundsAlike = true;
  nest.phases = {phase, phase};
  KernelInfo &kernel = manifest.functions[0].loops[0].kernels[0];
  kernel.mapping = {.flat = true, .tile = 256, .phase = 2};
  EXPECT_EQ(text(kernel.mapping), "flat, tiled256, phase 2");
  auto read = manifestFromJson(toJson(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].nest, nest);
  EXPECT_EQ(read->functions[0].loops[0].kernels[0].mapping, kernel.mapping);
  auto isRefused = [&] { return !manifestFromJson(toJson(manifest)); };
  kernel.mapping.phase = 3;
  EXPECT_TRUE(isRefused()) << "there is no such phase";
  kernel.mapping.phase = 0;
  EXPECT_TRUE(isRefused()) << "a tile of a phase alone";
  kernel.mapping = {};
  EXPECT_FALSE(isRefused());
  nest.phases[1].flat.clear();
  EXPECT_TRUE(isRefused()) << "a phase that is not flat";
}

TEST(ManifestNest, HasTheProductOfANest) {
  Manifest manifest = sample();
  FunctionInfo &f = manifest.functions[0];
  auto operand = [](std::vector<DimExpr> core) {
    OperandInfo out;
    out.name = "a";
    out.core = std::move(core);
    return out;
  };
  f.parameters = {operand({{{"m"}}, {{"k"}}}), operand({{{"k"}}, {{"n"}}})};
  f.results = {operand({{{"m"}}, {{"n"}}})};
  f.dims = {"m", "k", "n"};
  f.loops.resize(1);
  f.loops[0].inputs = {ArgType::typed(DType::F32), ArgType::typed(DType::F32)};
  f.loops[0].outputs = {DType::F32};
  f.loops[0].kernels.clear();
  Nest &nest = f.loops[0].nest;
  nest.flat = {{{"m"}}, {{"n"}}};
  nest.product = {{0, {0, 2}}, {1, {2, 1}}, {2, {0, 1}}};
  auto read = manifestFromJson(toJson(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].nest, nest);
  using Term = Nest::Product::Term;
  for (Term wrong :
       {Term{3, {0, 2}}, Term{0, {0}}, Term{0, {0, 3}}, Term{0, {1, 1}}}) {
    nest.product->left = wrong;
    EXPECT_FALSE(manifestFromJson(toJson(manifest)));
  }
}

TEST(ManifestNest, SaysThatLoopsInOrderAreBesideOthers) {
  Manifest manifest = sample();
  Nest &nest = manifest.functions[0].loops[0].nest;
  nest.hasLoops = nest.hasOrderedLoops = nest.readsTogether = true;
  auto read = manifestFromJson(toJson(manifest));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->functions[0].loops[0].nest, nest);
}

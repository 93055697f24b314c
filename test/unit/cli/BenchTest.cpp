//===- BenchTest.cpp - shapes, arrays and summaries of kern bench ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/bench/DeviceClock.h"
#include "tools/kern/bench/RandomArrays.h"

#include "gtest/gtest.h"

using namespace kern::runtime;
using namespace kern::cli;

TEST(Summary, HasNumpysQuantiles) {
  // numpy.median, numpy.percentile(…, [25, 75])
  Summary four = summarise({4.0, 1.0, 3.0, 2.0});
  EXPECT_DOUBLE_EQ(four.median, 2.5);
  EXPECT_DOUBLE_EQ(four.shortest, 1.0);
  EXPECT_DOUBLE_EQ(four.longest, 4.0);
  EXPECT_DOUBLE_EQ(four.spread, (3.25 - 1.75) / 2.5);
  Summary one = summarise({7.0});
  EXPECT_DOUBLE_EQ(one.median, 7.0);
  EXPECT_DOUBLE_EQ(one.spread, 0.0);
  EXPECT_DOUBLE_EQ(summarise({0.0, 0.0}).spread, 0.0);
}

TEST(Summary, RepeatsWhatIsShort) {
  EXPECT_EQ(repetitions(1.0, 100, 10000), 100u);
  EXPECT_EQ(repetitions(300.0, 100, 10000), 1u);
  EXPECT_EQ(repetitions(0.0001, 100, 10000), 10000u);
  EXPECT_EQ(repetitions(0.0, 100, 10000), 10000u);
}

TEST(RandomArrays, ReadsShapes) {
  using Shape = std::vector<int64_t>;
  EXPECT_EQ(*parseShape("7"), (Shape{7}));
  EXPECT_EQ(*parseShape("1024,3"), (Shape{1024, 3}));
  EXPECT_EQ(*parseShape("2x3x4"), (Shape{2, 3, 4}));
  for (const char *wrong :
       {"", ",", "3,", "-1", "0", "2,0", "a", "3;4", "1e3", " 3",
        "9223372036854775807", "4294967296,4294967296"})
    EXPECT_FALSE(parseShape(wrong)) << wrong;
}

TEST(RandomArrays, ReadsArrays) {
  EXPECT_EQ(*parseArray("f16[5,6]"), (ArrayShape{DType::F16, {5, 6}}));
  EXPECT_EQ(*parseArray("uint8[3]"), (ArrayShape{DType::U8, {3}}));
  for (const char *wrong : {"f32[]", "[3]", "f31[3]", "f32[3]]"})
    EXPECT_FALSE(parseArray(wrong)) << wrong;
  EXPECT_TRUE(looksLikeArray("f32[3]"));
  EXPECT_FALSE(looksLikeArray("f32(3)"));
}

TEST(RandomArrays, OneShapeForAllOrOneForEach) {
  FunctionInfo function;
  function.name = "f";
  function.parameters.resize(2);
  LoopInfo loop;
  loop.inputs = {ArgType::typed(DType::F64), ArgType::typed(DType::I16)};
  function.loops = {loop};
  using Arrays = std::vector<ArrayShape>;
  EXPECT_EQ(*arraysFor(function, {{8}}, {}),
            (Arrays{{DType::F64, {8}}, {DType::I16, {8}}}));
  EXPECT_EQ(*arraysFor(function, {{8}, {2, 1}}, {DType::C64}),
            (Arrays{{DType::C64, {8}}, {DType::C64, {2, 1}}}));
  EXPECT_FALSE(arraysFor(function, {{8}, {8}, {8}}, {}));
  EXPECT_FALSE(
      arraysFor(function, {{8}}, {DType::F32, DType::F32, DType::F32}));
  function.loops.clear();
  EXPECT_EQ((*arraysFor(function, {{8}}, {}))[1].dtype, DType::F32);
  function.parameters[1].isDim = true;
  EXPECT_FALSE(arraysFor(function, {{8}}, {}));
}

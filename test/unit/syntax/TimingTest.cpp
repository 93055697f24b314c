//===- TimingTest.cpp - stages add up -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/Timing.h"

#include <gtest/gtest.h>

using namespace kern::compiler;

TEST(Timing, AddsUpAndKeepsTheOrder) {
  Timing timing;
  timing.add("parse", 1.5);
  timing.add("lower", 2);
  timing.add("parse", 0.25);
  EXPECT_EQ(timing.table(), "    1.750 ms  parse\n"
                            "    2.000 ms  lower\n"
                            "    3.750 ms  in all\n");
}

TEST(Timing, TimerClosesEachStage) {
  Timing timing;
  {
    StageTimer timer(&timing, "first");
    timer.next("second");
    timer.next(nullptr);
  }
  ASSERT_EQ(timing.stages().size(), 2u);
  EXPECT_EQ(timing.stages()[0].first, "first");
  EXPECT_EQ(timing.stages()[1].first, "second");
  EXPECT_GE(timing.stages()[0].second, 0);
  StageTimer none(nullptr, "nothing is measured");
  none.next("nor here");
}

//===- HostThreadsTest.cpp - how many threads a loop is worth -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/HostThreads.h"

#include <gtest/gtest.h>

using namespace kern::runtime;

TEST(HostThreads, ByTheWork) {
  struct Case {
    const char *what;
    HostWork work;
    unsigned onTwo, onSixteen;
  };
  // Measured on one core: an addition of f32 90 ps, exp·sin·pow 3.3 ns, 2000
  // steps of one after the other 5 µs.
  constexpr int64_t k = 1024;
  const Case cases[] = {
      {"a few additions", {k, 90}, 1, 1},
      {"2^20 additions", {k * k, 90}, 1, 1},
      {"2^22 additions", {4 * k * k, 90}, 2, 3},
      {"2^24 additions", {16 * k * k, 90}, 2, 15},
      {"exp·sin·pow of 10 000", {10'000, 3300}, 1, 1},
      {"exp·sin·pow of 270 000", {270'000, 3300}, 2, 8},
      {"many steps of 10", {10, 5'000'000}, 1, 1},
      {"many steps of 250 000", {250'000, 5'000'000}, 2, 16},
      {"rows of 2^14", {k, 90, 16 * k}, 2, 15},
      {"transposed 2^20", {k * k, 90, 1, 1}, 2, 5},
      {"not known, 2^22", {4 * k * k, 0}, 2, 4},
      {"2^18 additions, 3 MiB", {k * k / 4, 90, 1, 0, 3 * k * k}, 1, 1},
      {"2^20 additions, 12 MiB", {k * k, 90, 1, 0, 12 * k * k}, 2, 5},
      {"2^20 of exp·sin·pow, 8 MiB", {k * k, 3300, 1, 0, 8 * k * k}, 2, 16},
      {"bytes beyond counting", {k, 90, 1, 0, INT64_MAX}, 2, 16},
      {"beyond counting", {INT64_MAX, UINT32_MAX, INT64_MAX, 3}, 2, 16},
      {"nothing", {0, 90}, 1, 1},
  };
  for (const Case &c : cases) {
    EXPECT_EQ(hostThreads(picoseconds(c.work), 2), c.onTwo) << c.what;
    EXPECT_EQ(hostThreads(picoseconds(c.work), 16), c.onSixteen) << c.what;
    EXPECT_EQ(hostThreads(picoseconds(c.work), 1), 1u) << c.what;
    EXPECT_EQ(hostThreads(picoseconds(c.work), 0), 1u) << c.what;
  }
}

TEST(HostThreads, Copies) {
  constexpr int64_t mib = 1 << 20;
  EXPECT_EQ(copyThreads(1000, 16), 1u);
  EXPECT_EQ(copyThreads(2 * mib, 16), 4u);
  EXPECT_EQ(copyThreads(2 * mib, 2), 2u);
  EXPECT_EQ(copyThreads(8 * mib, 16), 16u);
  EXPECT_EQ(copyThreads(INT64_MAX, 16), 16u);
}

TEST(HostThreads, PartsOfLoopElements) {
  EXPECT_EQ(hostParts(1, 1), 1u); // a thread takes a loop element whole
  EXPECT_EQ(hostParts(1, 2), 8u); // four tasks a thread
  EXPECT_EQ(hostParts(3, 2), 2u);
  EXPECT_EQ(hostParts(5, 2), 1u); // there are enough
  EXPECT_EQ(hostParts(1 << 20, 16), 1u);
}

//===- PlacementTest.cpp - the CPU or a GPU for a call --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Placement.h"
#include "runtime/plan/HostThreads.h"

#include <gtest/gtest.h>

using namespace kern::runtime;

namespace {
/// About those of an H200 beside 16 cores.
constexpr MachineRates rates = {55e9, 55e9, 60e9, 40e-6};

CallWork work(int64_t elements, int64_t bytesUp, int64_t bytesDown,
              int64_t picoseconds) {
  CallWork out;
  out.up = uint64_t(elements * bytesUp);
  out.down = uint64_t(elements * bytesDown);
  out.seconds = double(elements) * double(picoseconds) * 1e-12;
  out.threads = hostThreads(elements * picoseconds, 16);
  out.multiprocessors = 132;
  return out;
}

struct Row {
  const char *what;
  int64_t bytesUp, bytesDown, picoseconds;
  /// The least power of two of elements for which the GPU is taken; 0: none.
  int from;
};
} // namespace

TEST(Placement, Table) {
  const Row rows[] = {
      {"add of f32", 8, 4, 100, 0},
      {"copy of u8", 1, 1, 50, 0},
      {"exp of f32: 1.5 ns on a core", 4, 4, 1500, 0},
      {"300 ns on a core", 8, 8, 300'000, 8},
      {"a row of 1024 in 100 us", 4096, 4, 100'000'000, 4},
  };
  for (const Row &row : rows)
    for (int power = 4; power <= 28; ++power) {
      const PlaceEstimate expected =
          estimatePlaces(work(int64_t(1) << power, row.bytesUp, row.bytesDown,
                              row.picoseconds),
                         rates);
      EXPECT_EQ(expected.prefersGpu(), row.from && power >= row.from)
          << row.what << ", 2^" << power << ": " << expected.onCpu * 1e3
          << " ms on the CPU, " << expected.onGpu * 1e3 << " ms on the GPU";
    }
}

TEST(Placement, Estimates) {
  // 2^28 f32 in two arrays and out, as measured: 45 ms on the GPU.
  const PlaceEstimate add =
      estimatePlaces(work(int64_t(1) << 28, 8, 4, 100), rates);
  EXPECT_GT(add.onGpu, 0.036);
  EXPECT_LT(add.onGpu, 0.060);
  // Each byte of 3 GiB is moved once, at twice the rate of a copy.
  EXPECT_NEAR(add.onCpu, 3.2e9 / 120e9, 0.001);
  // A call that moves nothing begins.
  const PlaceEstimate none = estimatePlaces(work(0, 8, 4, 100), rates);
  EXPECT_EQ(none.onCpu, 0);
  EXPECT_EQ(none.onGpu, rates.start);
  EXPECT_FALSE(none.prefersGpu());
  // No overflow.
  CallWork huge = work(1, 0, 0, 1);
  huge.seconds = 1e300;
  huge.up = huge.down = UINT64_MAX / 4;
  EXPECT_GT(estimatePlaces(huge, rates).onGpu, 1e6);
}

TEST(Placement, WithoutAClearGainTheCpu) {
  EXPECT_FALSE((PlaceEstimate{1.0, 0.95}).prefersGpu());
  EXPECT_FALSE((PlaceEstimate{1.0, 1.0}).prefersGpu());
  EXPECT_TRUE((PlaceEstimate{1.0, 0.85}).prefersGpu());
}

//===- PlacementTest.cpp - the CPU or a GPU for a call --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Placement.h"
#include "MeasuredPlaces.h"
#include "ScheduleCases.h"
#include "runtime/plan/HostThreads.h"
#include "runtime/plan/PlaceTrials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>

using namespace kern::runtime;
using namespace kern::test;

namespace {
/// About those of an H100, or an H200, beside 16 cores.
constexpr MachineRates rates = {54e9, 54e9, 60e9, 27e-6};
constexpr unsigned cores = 16;
constexpr int multiprocessors = 132;

CallWork work(int64_t elements, int64_t bytesUp, int64_t bytesDown,
              int64_t picoseconds) {
  CallWork out;
  out.elements = elements;
  out.up = uint64_t(elements * bytesUp);
  out.down = uint64_t(elements * bytesDown);
  out.pageable = out.arrays = out.up + out.down;
  out.seconds = double(elements) * double(picoseconds) * 1e-12;
  out.threads = hostThreads(elements * picoseconds, cores);
  out.available = cores;
  out.multiprocessors = multiprocessors;
  return out;
}

//===----------------------------------------------------------------------===//
// Nests, as the compiler describes these bodies
//===----------------------------------------------------------------------===//

Nest softmaxNest() {
  Nest nest = norm();
  nest.isStraight = false; // a loop in order after the reductions
  nest.launches = 0;
  return nest;
}
Nest scanNest() {
  Nest nest = norm();
  nest.isScan = true;
  nest.residentChunks = 8;
  nest.residentExtent = {{"n"}};
  return nest;
}
/// Loops in order around a sum.
Nest productNest() { return softmaxNest(); }
/// y[i] follows from y[i - 1].
Nest recurrenceNest() {
  Nest nest;
  nest.stages = {{.operand = 0, .bytes = {{"528"}}, .spreadBytes = 1040},
                 {.operand = 1, .bytes = {{"144"}}, .spreadBytes = 528}};
  return nest;
}
NestExtents recurrenceExtents(int64_t elements) {
  NestExtents out = extents(elements, 0);
  out.stages = {528, 144};
  return out;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The call of a function on arrays of 2^power elements, into an array.
CallWork callOf(const Measured &row, int power) {
  const int64_t n = int64_t(1) << power;
  CallWork out = work(n, row.bytesUp, row.bytesDown, 0);
  const int64_t element = row.bytesDown ? row.bytesDown : 4;
  out.transfers = unsigned(row.bytesUp / element) + 1;
  int64_t core = 1, shared = 1, indices = 1;
  if (row.body == Body::Product) { // matrices of up to 64 x 64
    shared = std::min<int64_t>(int64_t(std::sqrt(double(n))), 64);
    core = shared * shared;
    indices = core * shared;
  } else if (row.body != Body::Ufunc) { // rows of up to 256, or 4096
    core = std::min<int64_t>(n, row.body == Body::Recurrence ? 4096 : 256);
    shared = indices = core;
  }
  out.elements = n / core;
  out.seconds =
      double(out.elements) * double(indices) * double(row.picoseconds) * 1e-12;
  out.threads = unsigned(std::min<int64_t>(
      out.elements,
      hostThreads(picoseconds({out.elements * indices, row.work}), cores)));
  if (row.body == Body::Ufunc)
    return out;
  const int64_t ofPiece = out.elements / out.pieces();
  NestExtents piece = row.body == Body::Recurrence ? recurrenceExtents(ofPiece)
                                                   : extents(ofPiece, shared);
  piece.resident = shared;
  const Nest nest = row.body == Body::Norm      ? norm()
                    : row.body == Body::Softmax ? softmaxNest()
                    : row.body == Body::Scan    ? scanNest()
                    : row.body == Body::Product ? productNest()
                                                : recurrenceNest();
  out.thread = threadWork(nest, piece, indices, threads);
  // The body may leave something of the array as it was.
  if (row.body != Body::Norm) {
    ++out.transfers;
    out.up += out.down;
    out.pageable += out.down;
  }
  return out;
}
} // namespace

// The choice costs no more than 1.2 times the better place, or 2 us, also where
// the rate of copies was measured while something else ran.
TEST(Placement, AsMeasured) {
  auto expectRight = [](std::span<const Measured> table,
                        std::initializer_list<double> copies) {
    for (const double copied : copies)
      for (const Measured &row : table)
        for (size_t k = 0; k < std::size(powers); ++k) {
          MachineRates machine = rates;
          machine.copied = copied;
          const PlaceEstimate expected =
              estimatePlaces(callOf(row, powers[k]), machine);
          const double better = std::min(row.onCpu[k], row.onGpu[k]);
          const double taken =
              expected.prefersGpu() ? row.onGpu[k] : row.onCpu[k];
          EXPECT_LE(taken, std::max(1.2 * better, better + 0.002))
              << row.function << " 2^" << powers[k] << " took " << row.onCpu[k]
              << " ms on the CPU and " << row.onGpu[k] << " on the GPU, "
              << expected.onCpu * 1e3 << " and " << expected.onGpu * 1e3
              << " expected with copies of " << copied << " B/s";
        }
  };
  expectRight(measured, {40e9, 50e9, 60e9, 70e9, 80e9, 100e9});
  expectRight(measuredBusy, {30e9, 37e9, 45e9, 55e9, 65e9});
}

// Where the place matters, the time on the GPU is about right.
TEST(Placement, EstimatesOfTheGpu) {
  auto expectWithin = [](double factor, int least, double copied,
                         std::span<const Measured> table) {
    MachineRates machine = rates;
    machine.copied = copied;
    for (const Measured &row : table)
      for (size_t k = 0; k < std::size(powers); ++k) {
        if (powers[k] < least || !row.onGpu[k])
          continue;
        const double expected =
            estimatePlaces(callOf(row, powers[k]), machine).onGpu * 1e3;
        EXPECT_GT(expected, row.onGpu[k] / factor)
            << row.function << " 2^" << powers[k];
        EXPECT_LT(expected, row.onGpu[k] * factor)
            << row.function << " 2^" << powers[k];
      }
  };
  expectWithin(1.8, 16, rates.copied, measured);
  expectWithin(1.6, 24, 45e9, measuredBusy);
}

// Few rows of a recurrence stay on the CPU: a thread of the GPU goes through
// each of them alone, however many others there are.
TEST(Placement, LoopsInOrder) {
  for (const int64_t rows : {1, 16, 256})
    for (const int64_t length : {1 << 12, 1 << 16, 1 << 20}) {
      // 4 ns an iteration on a core.
      CallWork call = work(rows, 4 * length, 4 * length, 4000 * length);
      call.threads = std::min<unsigned>(call.threads, unsigned(rows));
      call.thread =
          threadWork(recurrenceNest(), recurrenceExtents(rows / call.pieces()),
                     length, threads);
      EXPECT_FALSE(estimatePlaces(call, rates).prefersGpu())
          << rows << " rows of " << length;
    }
  // Many short ones of much work are worth it: each of 2^20 takes 1 us a core.
  CallWork many = work(1 << 20, 8, 8, 20'000'000);
  many.thread =
      threadWork(recurrenceNest(), recurrenceExtents((1 << 20) / many.pieces()),
                 16, threads);
  EXPECT_TRUE(estimatePlaces(many, rates).prefersGpu());
}

TEST(Placement, ThreadWorkOfPhases) {
  Nest nest = productNest();
  nest.phases.resize(2);
  const ThreadWork found = threadWork(nest, extents(1, 512), 1 << 18, threads);
  EXPECT_EQ(found.share, 0);
  EXPECT_EQ(found.inOrder, 0);
}

TEST(Placement, ThreadWork) {
  struct Row {
    const char *what;
    Nest nest;
    NestExtents extents;
    int64_t indices;
    double lanes, inOrder; ///< lanes of a loop element
    bool isStaged;
  };
  Nest flat;
  flat.flat = {{{"m"}}};
  NestExtents ofScan = extents(1 << 20, 256), ofFlat = extents(10, 0);
  ofScan.resident = 256;
  ofFlat.flat = {100};
  const Row rows[] = {
      {"norm", norm(), extents(1 << 20, 256), 256, 16, 0, false},
      {"softmax", softmaxNest(), extents(1 << 20, 256), 256, 16, 256, false},
      {"scan", scanNest(), ofScan, 256, 32, 0, false},
      {"product", productNest(), extents(64, 64), 1 << 18, 8, 1 << 15, false},
      {"recurrence", recurrenceNest(), recurrenceExtents(100), 4096, 1, 4096,
       true},
      {"a prange of 100", flat, ofFlat, 100, 100, 1, false},
      {"nothing", norm(), extents(0, 0), 1, 1, 0, false},
  };
  for (const Row &row : rows) {
    const ThreadWork found =
        threadWork(row.nest, row.extents, row.indices, threads);
    EXPECT_DOUBLE_EQ(1 / found.share, row.lanes) << row.what;
    EXPECT_DOUBLE_EQ(found.inOrder, row.inOrder) << row.what;
    EXPECT_EQ(found.isStaged, row.isStaged) << row.what;
  }
}

// Page-locked arrays go as they are.
TEST(Placement, PageLockedArrays) {
  // As measured (test/bench/host_arrays.py): additions of f32, in ms.
  const std::tuple<int, double, double> rows[] = {
      {20, 1.203, 0.300}, {22, 3.260, 0.949}, {24, 5.365, 3.007}};
  for (const auto &[power, pageable, pinned] : rows) {
    CallWork add = work(int64_t(1) << power, 8, 4, 100);
    const double through = estimatePlaces(add, rates).onGpu * 1e3;
    EXPECT_GT(through, pageable / 1.6) << power;
    EXPECT_LT(through, pageable * 1.6) << power;
    add.pageable = 0;
    const double direct = estimatePlaces(add, rates).onGpu * 1e3;
    EXPECT_GT(direct, pinned / 1.3) << power;
    EXPECT_LT(direct, pinned * 1.3) << power;
  }
}

// As measured on an H200 (test/bench/places.py), in ms.
TEST(Placement, TransfersOfSmallArrays) {
  const std::tuple<const char *, int, unsigned, double> rows[] = {
      {"copy", 8, 2, 0.0305},  {"add", 8, 3, 0.0430},
      {"polar", 8, 5, 0.0559}, {"copy", 14, 2, 0.0387},
      {"add", 14, 3, 0.0476},  {"black_scholes", 14, 4, 0.0585},
  };
  MachineRates machine = rates;
  machine.start = 30.5e-6;
  for (const auto &[name, power, transfers, milliseconds] : rows) {
    CallWork call = work(int64_t(1) << power, 4 * (transfers - 1), 4, 10);
    call.transfers = transfers;
    EXPECT_NEAR(estimatePlaces(call, machine).onGpu * 1e3, milliseconds, 0.007)
        << name << " 2^" << power;
  }
}

TEST(Placement, Extremes) {
  // A call that moves nothing begins.
  const PlaceEstimate none = estimatePlaces(work(0, 8, 4, 100), rates);
  EXPECT_EQ(none.onCpu, 0);
  EXPECT_EQ(none.onGpu, rates.start);
  EXPECT_FALSE(none.prefersGpu());
  // No overflow.
  CallWork huge = work(1, 0, 0, 1);
  huge.seconds = 1e300;
  huge.up = huge.down = huge.pageable = huge.arrays = UINT64_MAX / 4;
  huge.elements = INT64_MAX;
  EXPECT_GT(estimatePlaces(huge, rates).onGpu, 1e6);
  EXPECT_GT(huge.pieces(), 1 << 20);
  // One loop element is one piece.
  EXPECT_EQ(work(1, 1 << 30, 0, 1).pieces(), 1);
  EXPECT_EQ(work(1 << 28, 8, 4, 1).pieces(), 96);
}

TEST(Placement, WithoutAClearGainTheCpu) {
  EXPECT_FALSE((PlaceEstimate{1.0, 0.95}).prefersGpu());
  EXPECT_FALSE((PlaceEstimate{1.0, 1.0}).prefersGpu());
  EXPECT_TRUE((PlaceEstimate{1.0, 0.85}).prefersGpu());
}

//===----------------------------------------------------------------------===//
// Trials
//===----------------------------------------------------------------------===//

TEST(PlaceTrials, EstimatesThatAreFarApartDecide) {
  for (const bool triesBoth : {false, true}) {
    for (const PlaceEstimate &estimate :
         {PlaceEstimate{1, 2.1}, PlaceEstimate{2.1, 1}}) {
      const PlaceDecision decision = decidePlace(estimate, {}, triesBoth);
      EXPECT_EQ(decision.onGpu, estimate.onGpu < estimate.onCpu);
      EXPECT_FALSE(decision.isTrial || decision.isMeasured);
    }
  }
}

// Calls of so many seconds on the CPU and the GPU: where each of them runs.
TEST(PlaceTrials, TimesDecideWhatIsClose) {
  struct Case {
    PlaceEstimate expected;
    bool triesBoth;
    double onCpu, onGpu;
    std::string places; ///< of the trials, then of a call that is none
  };
  auto turns = [](std::string places) {
    std::string all;
    for (int turn = 0; turn < 4; ++turn)
      for (char place : places)
        all += std::string(8, place);
    return all;
  };
  const Case cases[] = {
      {{25e-3, 34e-3}, true, 36e-3, 26e-3, "CCCGGG|G"},
      {{25e-3, 34e-3}, true, 25e-3, 26e-3, "CCCGGG|C"},
      {{34e-3, 25e-3}, true, 25e-3, 26e-3, "GGGCCC|C"},
      {{34e-3, 25e-3}, true, 27e-3, 26e-3, "GGGCCC|G"},
      {{25e-3, 34e-3}, false, 36e-3, 26e-3, "CCC|C"},
      {{34e-3, 25e-3}, false, 25e-3, 26e-3, "GGG|G"},
      // What is much slower than expected is not tried to the end.
      {{25e-3, 34e-3}, true, 25e-3, 1.0, "CCCGG|C"},
      {{48e-6, 53e-6}, true, 33e-6, 2e-3, "CCCCCCCCGGG|C"},
      // Short calls are measured more often, and close ones in four turns.
      {{53e-6, 48e-6}, true, 33e-6, 58e-6, "GGGGGGGGCCCCCCCC|C"},
      {{53e-6, 48e-6}, true, 33e-6, 48e-6, turns("GC") + "|C"},
      {{48e-6, 53e-6}, true, 48e-6, 33e-6, turns("CG") + "|G"},
      {{48e-6, 53e-6}, false, 48e-6, 33e-6, "CCCCCCCC|C"},
  };
  for (const Case &c : cases) {
    PlaceTrials trials;
    std::string places;
    for (int i = 0; i < 80; ++i) {
      const PlaceDecision decision =
          decidePlace(c.expected, trials, c.triesBoth);
      const char place = decision.onGpu ? 'G' : 'C';
      if (!decision.isTrial) {
        places += {'|', place};
        EXPECT_EQ(decision.isMeasured, c.triesBoth);
        break;
      }
      places += place;
      // The first call of a place compiles.
      PlaceTimes &times = decision.onGpu ? trials.onGpu : trials.onCpu;
      times.add(times.calls ? decision.onGpu ? c.onGpu : c.onCpu : 1e-9);
    }
    EXPECT_EQ(places, c.places);
  }
}

TEST(PlaceTrials, APlaceThatIsExcludedIsNotTried) {
  PlaceTrials trials;
  trials.onGpu.exclude();
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(decidePlace({1, 1.5}, trials, true).onGpu);
    trials.onCpu.add(1);
  }
  const PlaceDecision decision = decidePlace({1.5, 1}, trials, true);
  EXPECT_TRUE(decision.isMeasured);
  EXPECT_FALSE(decision.onGpu);
}

// Other calls of the kind may have been tried at both: when they have ended.
TEST(PlaceTrials, WhatIsKnownDecidesForCallsThatAreNotTried) {
  PlaceTrials trials;
  for (int i = 0; i < 32; ++i) {
    const PlaceDecision decision = decidePlace({53e-6, 48e-6}, trials, false);
    EXPECT_TRUE(decision.onGpu);
    EXPECT_FALSE(decision.isMeasured);
    EXPECT_EQ(decision.isTrial, i < 8);
    EXPECT_TRUE(decidePlace({53e-6, 48e-6}, trials, true).isTrial);
    trials.onCpu.add(33e-6);
    trials.onGpu.add(34e-6);
  }
  const PlaceDecision decision = decidePlace({53e-6, 48e-6}, trials, false);
  EXPECT_TRUE(decision.isMeasured);
  EXPECT_FALSE(decision.onGpu || decision.isTrial);
}

TEST(PlaceTrials, TheTableHasAnEnd) {
  PlaceTable table;
  for (int64_t n = 0; n < 1000; ++n)
    table.change({.indices = n},
                 [](PlaceTrials &trials) { trials.onCpu.add(1); });
  EXPECT_EQ(table.of({.indices = 0}).value().onCpu.calls, 1u);
  EXPECT_FALSE(table.of({.indices = 999})) << "would be tried for ever";
  table.change({.indices = 0},
               [](PlaceTrials &trials) { trials.onCpu.add(1); });
  EXPECT_EQ(table.of({.indices = 0}).value().onCpu.calls, 2u);
  EXPECT_TRUE(PlaceTable().of({.indices = 999}));
}

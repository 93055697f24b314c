//===- PipelineFailureTest.cpp - faults in calls over host arrays ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "Variable.h"
#include "kern/places.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
kern_status totals(Caller &caller) {
  std::vector<double> a = iota<double>(3000);
  Tensor<double> rows(a.data(), {2, 1500});
  TRY(caller.call("total", {value(rows.get())}));
  EXPECT_EQ(valuesOf<double>(caller.result())[0], 1500 * 1499 / 2);
  return KERN_OK;
}

/// An operand moves with the pieces, and one stays.
kern_status sums(Caller &caller) {
  std::vector<double> a = iota<double>(3000);
  Tensor<double> x(a.data(), {30, 100}), row(a.data(), {100});
  TRY(caller.call("add", {value(x.get()), value(row.get())}));
  EXPECT_EQ(valuesOf<double>(caller.result())[2999], 2999 + 99);
  return KERN_OK;
}

} // namespace

TEST(PipelineFailure, OneGpu) {
  Variable bytes("KERN_PIECE_BYTES", "4000");
  playWithFaults([](Caller &caller) {
    caller.options = onTheGpu();
    TRY(totals(caller));
    return sums(caller);
  });
}

TEST(PipelineFailure, AllGpus) {
  Variable bytes("KERN_PIECE_BYTES", "4000");
  playWithFaults(
      [](Caller &caller) {
        caller.options = askingFor({kDLCUDA, KERN_ALL_GPUS});
        TRY(totals(caller));
        return sums(caller);
      },
      {.devices = 2});
}

// One piece at a time, where memory is short.
TEST(PipelineFailure, RowsInTurn) {
  Variable bytes("KERN_PIECE_BYTES", "64");
  playWithFaults(
      [](Caller &caller) {
        caller.options = onTheGpu();
        return totals(caller);
      },
      {.memory = 26000});
}

// The caller ends a call after its second turn; pieces are on the way then.
TEST(PipelineFailure, CancelledCalls) {
  Variable bytes("KERN_PIECE_BYTES", "2000");
  playWithFaults([](Caller &caller) {
    struct Turns {
      int left = 2;
      static int step(void *turns, uint64_t, uint64_t) {
        return static_cast<Turns *>(turns)->left-- == 0;
      }
    } turns;
    kern_progress progress = {&turns, Turns::step};
    caller.options = onTheGpu();
    caller.options->progress = &progress;
    const kern_status status = sums(caller);
    caller.options->progress = nullptr;
    if (status != KERN_ERROR_CANCELLED)
      return status == KERN_OK ? KERN_ERROR_INTERNAL : status;
    return sums(caller);
  });
}

//===- PipelineFailureTest.cpp - pieces whose driver calls fail -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arrays.h"
#include "FakeDriver.h"
#include "Variable.h"
#include "kern/places.h"

using namespace kern::runtime;
using namespace kern::test;

// Whatever call of the driver fails, the next attempt works and nothing leaks:
// on one GPU, on two, and with rows that go in turn.
TEST(PipelineFailure, EveryCall) {
  struct Scenario {
    int pieceBytes;
    FakeDriver::Options machine;
    kern_device device;
  };
  Scenario one = {4000, {}, {kDLCUDA, 0}};
  Scenario two = {4000, {}, {kDLCUDA, KERN_ALL_GPUS}};
  two.machine.devices = 2;
  Scenario inTurn = {64, {}, {kDLCUDA, 0}};
  inTurn.machine.memory = 26000;
  int tried = 0;
  const Scenario all[] = {one, two, inTurn};
  const Scenario &inTurnOnly = all[2];
  for (const Scenario &scenario : all) {
    Variable bytes("KERN_PIECE_BYTES", std::to_string(scenario.pieceBytes));
    auto work = [&](Caller &caller) {
      std::vector<double> a = iota<double>(3000);
      Tensor<double> x(a.data(), {30, 100}), row(a.data(), {100});
      Tensor<double> rows(a.data(), {2, 1500});
      caller.options = askingFor(scenario.device);
      if (auto status = caller.call("total", {value(rows.get())}))
        return status;
      EXPECT_EQ(valuesOf<double>(caller.result())[0], 1500 * 1499 / 2);
      if (&scenario == &inTurnOnly)
        return KERN_OK;
      if (auto status = caller.call("add", {value(x.get()), value(row.get())}))
        return status;
      EXPECT_EQ(valuesOf<double>(caller.result())[2999], 2999 + 99);
      return KERN_OK;
    };
    std::map<std::string, int> calls;
    {
      FakeDriver gpu(scenario.machine);
      Caller caller;
      ASSERT_EQ(work(caller), KERN_OK) << kern_last_error();
      calls = gpu.calls;
    }
    for (const auto &[name, count] : calls)
      for (int occurrence = 1; occurrence <= count; ++occurrence) {
        if (name == "cuInit" || name == "cuDeviceGetCount" ||
            name == "cuCtxPopCurrent")
          continue;
        FakeDriver gpu(scenario.machine);
        Caller caller;
        gpu.failAt(name, occurrence, CUDA_ERROR_ILLEGAL_ADDRESS);
        if (work(caller) == KERN_OK)
          continue;
        ++tried;
        EXPECT_NE(std::string(kern_last_error()).find(name + " failed"),
                  std::string::npos)
            << name << ": " << kern_last_error();
        // Streams keep a few blocks, for the widest of the calls.
        for (int again = 0; again < 3; ++again)
          EXPECT_EQ(work(caller), KERN_OK)
              << "after " << name << " " << occurrence << ": "
              << kern_last_error();
        caller.results.clear();
        const int baseline = gpu.live();
        EXPECT_EQ(work(caller), KERN_OK);
        caller.results.clear();
        EXPECT_EQ(gpu.live(), baseline) << "leaked at " << name;
        EXPECT_EQ(gpu.pushed, 0);
      }
  }
  EXPECT_GT(tried, 250);
}

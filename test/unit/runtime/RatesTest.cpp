//===- RatesTest.cpp - rates of the machine -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arrays.h"
#include "FakeDriver.h"
#include "kern/memory.h"
#include "kern/places.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
constexpr kern_device gpu = {kDLCUDA, 0};

class Rates : public testing::Test {
protected:
  kern_status measure(kern_device device) {
    rates = {};
    rates.size = sizeof rates;
    return kern_device_rates(device, 1, &rates);
  }
  FakeDriver driver;
  kern_rates rates = {};
};
} // namespace

TEST_F(Rates, AreMeasuredOnce) {
  ASSERT_EQ(measure(gpu), KERN_OK) << kern_last_error();
  const kern_rates first = rates;
  EXPECT_GT(first.to_device, 0);
  EXPECT_GT(first.to_host, 0);
  EXPECT_GT(first.copied, 0);
  EXPECT_GT(first.start, 0);
  const int moved = driver.calls["cuMemcpyHtoDAsync"];
  ASSERT_EQ(measure(gpu), KERN_OK);
  EXPECT_EQ(rates.to_device, first.to_device);
  EXPECT_EQ(driver.calls["cuMemcpyHtoDAsync"], moved);
  EXPECT_TRUE(driver.memory.empty());
  EXPECT_TRUE(driver.pinned.empty());
  EXPECT_EQ(measure({kDLCUDA, 9}), KERN_ERROR_NOT_FOUND);
  EXPECT_EQ(measure({kDLCPU, 0}), KERN_ERROR_NOT_FOUND);
}

TEST_F(Rates, AreNotMeasuredBeyondALimit) {
  ASSERT_EQ(kern_memory_set_limit(gpu, 1000), KERN_OK);
  EXPECT_EQ(measure(gpu), KERN_ERROR_MEMORY);
  const std::string message = kern_last_error();
  EXPECT_NE(message.find("its limit is 1000 bytes"), std::string::npos)
      << message;
  EXPECT_EQ(driver.calls["cuMemAlloc"], 0);
  ASSERT_EQ(kern_memory_set_limit(gpu, 0), KERN_OK);
  EXPECT_EQ(measure(gpu), KERN_OK) << kern_last_error();
}

TEST_F(Rates, AreNotNeededWhereALimitForbidsThem) {
  ASSERT_EQ(kern_memory_set_limit(gpu, 1000), KERN_OK);
  std::vector<float> values = iota<float>(1000);
  Tensor<float> x(values.data(), {1000});
  Caller caller;
  caller.options = askingFor({kDLCUDA, KERN_AUTO});
  ASSERT_EQ(caller.call("heavy", {value(x.get()), weakFloat(1)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(caller.report.device.device_type, kDLCPU);
}

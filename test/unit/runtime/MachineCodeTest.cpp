//===- MachineCodeTest.cpp - what the driver makes is kept ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/MachineCode.h"
#include "FakeDriver.h"

#include <gtest/gtest.h>

using namespace kern;
using namespace kern::test;

namespace {
struct MachineCode : testing::Test {
  FakeDriver driver{{.version = 13000}};
  std::shared_ptr<cuda::Context> context =
      *cuda::Platform::current()->context(0);
  Cache cache{{true, "", 0, 1 << 20, ""}};

  Expected<cuda::ModuleHandle> load(const std::string &ptx) {
    return cuda::loadByMachineCode(*context, ptx, cache);
  }
};
} // namespace

TEST_F(MachineCode, IsMadeOnce) {
  ASSERT_TRUE(load("some PTX"));
  EXPECT_EQ(driver.calls["cuLinkComplete"], 1);
  ASSERT_TRUE(load("some PTX"));
  EXPECT_EQ(driver.calls["cuLinkComplete"], 1) << "kept";
  EXPECT_EQ(driver.calls["cuModuleLoadDataEx"], 2);
  ASSERT_TRUE(load("other PTX"));
  EXPECT_EQ(driver.calls["cuLinkComplete"], 2);
  driver.options.version = 13010;
  ASSERT_TRUE(load("some PTX"));
  EXPECT_EQ(driver.calls["cuLinkComplete"], 3) << "another driver";
  EXPECT_EQ(driver.links, 0);
}

TEST_F(MachineCode, WhatTheDriverRefusesIsMadeAgain) {
  ASSERT_TRUE(load("some PTX"));
  driver.badPtx = "CUBIN some PTX";
  ASSERT_TRUE(load("some PTX")) << "from the text";
  driver.badPtx = "";
  ASSERT_TRUE(load("some PTX"));
  EXPECT_EQ(driver.calls["cuLinkComplete"], 2) << "the entry was given up";
}

TEST_F(MachineCode, FailuresAreThoseOfTheText) {
  driver.badPtx = "bad PTX";
  auto module = load("bad PTX");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().status, KERN_ERROR_ARTEFACT);
  EXPECT_NE(module.error().message.find("line 1: syntax error"),
            std::string::npos)
      << module.error().message;
  for (const char *function :
       {"cuLinkCreate", "cuLinkAddData", "cuLinkComplete"}) {
    driver.failAt(function, driver.calls[function] + 1,
                  CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_TRUE(load(std::string("PTX for ") + function))
        << "without the machine code then";
  }
  EXPECT_EQ(driver.links, 0);
}

TEST_F(MachineCode, WithoutACacheTheTextIsLoaded) {
  Cache off({false, "", 0, 0, ""});
  ASSERT_TRUE(cuda::loadByMachineCode(*context, "some PTX", off));
  driver.options.version = 0;
  ASSERT_TRUE(load("some PTX"));
  EXPECT_EQ(driver.calls["cuLinkCreate"], 0);
}

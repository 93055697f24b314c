//===- TargetTest.cpp - what targets say of themselves --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/Target.h"

#include "gtest/gtest.h"

#include <gnu/libc-version.h>

using namespace kern::compiler;
using namespace kern::runtime;
using Device = CodeTarget::Kind;

TEST(Targets, AreFoundByNameAndByDevice) {
  for (const Target *target : targets())
    EXPECT_EQ(findTarget(std::string(target->facts.name)), target);
  EXPECT_EQ(findTarget("nonsense"), nullptr);
  EXPECT_EQ(targetOf(Device::Host).facts.name, "host");
  EXPECT_EQ(targetOf(Device::Cuda).facts.name, "nvptx");
}

TEST(Targets, EveryStageIsOfOne) {
  for (const StageInfo &row : stages) {
    EXPECT_NE(findTarget(row.target), nullptr) << row.name;
    EXPECT_EQ(findStage(row.name), &row);
  }
  EXPECT_EQ(findStage("nonsense"), nullptr);
}

TEST(Targets, GiveADeviceItsArchitectureOrTheNearestLowerOne) {
  struct Row {
    int computeCapability;
    const char *arch;
  };
  const Row rows[] = {
      {75, "sm_75"},   {79, "sm_75"},   {86, "sm_86"}, {90, "sm_90"},
      {101, "sm_100"}, {130, "sm_121"}, {70, "sm_70"}, // below the first:
                                                       // refused when code is
                                                       // made
  };
  const Target &nvptx = targetOf(Device::Cuda);
  for (const Row &row : rows)
    EXPECT_EQ(nvptx.archOf({Device::Cuda, row.computeCapability}), row.arch);
  EXPECT_EQ(nvptx.defaultArch(Stage::Code), "sm_75");
  EXPECT_EQ(targetOf(Device::Host).archOf({}), "");
  EXPECT_EQ(targetOf(Device::Host).defaultArch(Stage::Assembly), "");
  EXPECT_TRUE(
      targetOf(Device::Host).defaultArch(Stage::Object).starts_with("x86-64"));
}

TEST(Targets, RefuseAnArchitectureThatThereIsNot) {
  for (const char *arch : {"sm_70", "gfx90a", ""}) {
    auto codegen = targetOf(Device::Cuda).codegen({.arch = arch});
    ASSERT_FALSE(codegen) << arch;
    EXPECT_EQ(codegen.error().status, KERN_ERROR_ARGUMENT);
  }
}

TEST(Targets, CodeForThisCpuIsKeptForThisCLibrary) {
  bool isNamed = false;
  for (const auto &[what, value] : targetOf(Device::Host).identity(""))
    isNamed |= what == "libc" && value == ::gnu_get_libc_version();
  EXPECT_TRUE(isNamed);
}

TEST(Targets, TellDisjointVariantsApartWhereKernelsDiffer) {
  struct Row {
    Device device;
    Form form;
    bool tells;
  };
  const Row rows[] = {{Device::Cuda, Form::Contiguous, true},
                      {Device::Cuda, Form::Strided, true},
                      {Device::Cuda, Form::General, false}, // gufuncs
                      {Device::Host, Form::Contiguous, false},
                      {Device::Host, Form::General, false}};
  for (const Row &row : rows)
    for (bool disjoint : {false, true}) {
      KernelVariant wanted = {.form = row.form,
                              .disjoint = disjoint,
                              .loopDims = 1,
                              .groups = Groups::One};
      KernelVariant made = targetOf(row.device).distinct(wanted);
      EXPECT_EQ(made.loopDims == 1, row.device == Device::Cuda);
      EXPECT_EQ(made.groups == Groups::One, row.device == Device::Cuda);
      EXPECT_EQ(made.disjoint, disjoint && row.tells);
      EXPECT_EQ(made.form, row.form);
    }
}

//===- FakeGpu.cpp - the driver's double for tests of the public header ---===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeGpu.h"
#include "FakeCode.h"
#include "FakeDriver.h"

using namespace kern::runtime;
using namespace kern::test;

FakeGpu::FakeGpu(int devices) {
  FakeDriver::Options options;
  options.devices = devices;
  driver = std::make_unique<FakeDriver>(options);
}
FakeGpu::~FakeGpu() = default;
int FakeGpu::liveAllocations() const { return int(driver->memory.size()); }

std::string kern::test::fakeArtefact() {
  Manifest manifest = makeFakeCode()->manifest();
  manifest.target = {TargetKind::Cuda, "sm_75"};
  return embedManifest(manifest, ".version 6.4\n");
}

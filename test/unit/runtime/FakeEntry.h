//===- FakeEntry.h - how functions of a driver's double begin ---*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "AllocationCount.h"
#include "FakeDriver.h"

namespace kern::test {

/// The driver that is served; null when it is gone.
extern FakeDriver *fake;

/// One thread at a time, and its memory is not the library's.
#define FAKE_ENTER(name)                                                       \
  std::lock_guard fakeLock(fake->mutex);                                       \
  AllocationPause fakePause;                                                   \
  if (CUresult injected = fake->enter(name); injected != CUDA_SUCCESS)         \
    return injected;

/// Memory of the host, and copies.
void addFakeTransfers(runtime::cuda::Driver &table);

} // namespace kern::test

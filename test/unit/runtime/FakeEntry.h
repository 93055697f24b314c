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
#define FAKE_LOCK()                                                            \
  std::lock_guard fakeLock(fake->mutex);                                       \
  AllocationPause fakePause;
#define FAKE_ENTER(name)                                                       \
  FAKE_LOCK()                                                                  \
  if (CUresult injected = fake->enter(name); injected != CUDA_SUCCESS)         \
    return injected;

/// A call that spoils a graph which another thread records, or one that is
/// recorded on the call's own stream.
#define FAKE_UNSUPPORTED_IF(condition)                                         \
  if (condition)                                                               \
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;

template <typename Handle> Handle handleOf(int64_t number) {
  return reinterpret_cast<Handle>(number);
}
template <typename Handle> int64_t numberOf(Handle handle) {
  return reinterpret_cast<int64_t>(handle);
}

} // namespace kern::test

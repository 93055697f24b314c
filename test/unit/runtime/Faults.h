//===- Faults.h - scenes that are played with faults ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Arrays.h"
#include "FakeDriver.h"

#include <functional>

namespace kern::test {

/// Calls of the interface. It ends at the first one that fails, and returns its
/// status.
using Scene = std::function<kern_status(Caller &)>;

/// Plays a scene with its first driver call failing, then with its second,
/// until none fails; then the same with allocations on the host; then with a
/// device that is lost from the first call on, from the second. After a fault
/// the message says what was tried. The scene succeeds afterwards, and nothing
/// is left when the device is closed. While a device is lost, calls there fail,
/// and calls on the CPU work. `onHost`: with allocations that fail.
void playWithFaults(const Scene &scene,
                    FakeDriver::Options machine = FakeDriver::Options(),
                    bool onHost = true);

} // namespace kern::test

/// In a scene.
#define TRY(...)                                                               \
  if (kern_status tried = (__VA_ARGS__); tried != KERN_OK)                     \
  return tried

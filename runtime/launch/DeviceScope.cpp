//===- DeviceScope.cpp - a thread's default device ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/DeviceScope.h"

using namespace kern::runtime;

static thread_local std::vector<DLDevice> scopes;

void kern::runtime::enterDeviceScope(DLDevice device) {
  scopes.push_back(device);
}

void kern::runtime::leaveDeviceScope() {
  if (!scopes.empty())
    scopes.pop_back();
}

std::optional<DLDevice> kern::runtime::scopedDevice() {
  return scopes.empty() ? std::nullopt : std::optional(scopes.back());
}

DLDevice kern::runtime::defaultCallDevice() {
  const std::optional<DLDevice> scoped = scopedDevice();
  return scoped && !isHost(*scoped) ? *scoped : hostDevice();
}

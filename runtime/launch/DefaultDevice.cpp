//===- DefaultDevice.cpp - devices by scope and by name -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/DefaultDevice.h"

#include "runtime/device/cuda/Platform.h"

#include <charconv>
#include <cstdlib>
#include <vector>

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

Expected<DLDevice> kern::runtime::deviceNamed(std::string_view name) {
  if (name == "cpu")
    return hostDevice();
  if (name == "auto")
    return DLDevice{kDLCUDA, KERN_AUTO};
  if (name == "cuda")
    return DLDevice{kDLCUDA, cuda::Platform::current()->currentOrdinal()};
  if (name == "cuda:all")
    return DLDevice{kDLCUDA, KERN_ALL_GPUS};
  constexpr std::string_view prefix = "cuda:";
  int number = 0;
  if (name.starts_with(prefix)) {
    const char *end = name.data() + name.size();
    auto [last, error] =
        std::from_chars(name.data() + prefix.size(), end, number);
    if (error == std::errc() && last == end && number >= 0)
      return DLDevice{kDLCUDA, number};
  }
  return Error(ErrorCode::unknown_device, {name});
}

Expected<DLDevice> kern::runtime::defaultDevice() {
  if (const std::optional<DLDevice> scoped = scopedDevice())
    return isHost(*scoped) ? hostDevice() : *scoped; // page-locked too
  const char *name = std::getenv("KERN_DEVICE");
  if (!name || !*name)
    return hostDevice();
  Expected<DLDevice> device = deviceNamed(name);
  if (!device)
    device.error().add(Addition::of_variable, {"KERN_DEVICE"});
  return device;
}

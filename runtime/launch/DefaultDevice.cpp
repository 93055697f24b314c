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
#include <mutex>
#include <string>
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

/// The value of KERN_DEVICE when it was first needed: calls that are planned
/// and calls that are not go to the same place, whatever the program sets
/// later.
static std::string nameInEnvironment() {
  static std::mutex mutex;
  static uint64_t generation = 0; // of the platform, which tests replace
  static std::string name;
  std::lock_guard lock(mutex);
  if (const uint64_t now = cuda::Platform::generation() + 1;
      now != generation) {
    const char *value = std::getenv("KERN_DEVICE");
    name = value ? value : "";
    generation = now;
  }
  return name;
}

Expected<DLDevice> kern::runtime::defaultDevice() {
  if (const std::optional<DLDevice> scoped = scopedDevice())
    return isHost(*scoped) ? hostDevice() : *scoped; // page-locked too
  const std::string name = nameInEnvironment();
  if (name.empty())
    return hostDevice();
  Expected<DLDevice> device = deviceNamed(name);
  if (!device)
    device.error().add(Addition::of_variable, {"KERN_DEVICE"});
  return device;
}

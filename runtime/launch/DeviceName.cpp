//===- DeviceName.cpp - devices that calls name ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/DeviceName.h"

#include "runtime/device/cuda/Platform.h"

#include <charconv>
#include <cstdlib>

using namespace kern::runtime;

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
  const char *name = std::getenv("KERN_DEVICE");
  if (!name || !*name)
    return hostDevice();
  Expected<DLDevice> device = deviceNamed(name);
  if (!device)
    device.error().add(Addition::of_variable, {"KERN_DEVICE"});
  return device;
}

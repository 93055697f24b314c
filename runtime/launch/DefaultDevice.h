//===- DefaultDevice.h - devices by scope and by name -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/places.h"
#include "runtime/array/StridedView.h"
#include "runtime/error/Expected.h"
#include "runtime/error/LastError.h"

#include <optional>

namespace kern::runtime {

/// The scopes of kern/streams.h. Each thread has its own.
void enterDeviceScope(DLDevice device);
/// Without a scope it does nothing.
void leaveDeviceScope();
/// The innermost one's device, as it was given.
std::optional<DLDevice> scopedDevice();

/// The device of a name, as kern_device_named() says.
Expected<DLDevice> deviceNamed(std::string_view name);

/// Where calls over host arrays run that ask for no device: where the thread's
/// scope says, else what the environment variable KERN_DEVICE names, else the
/// host. The variable is read once. An error for an unknown name.
Expected<DLDevice> defaultDevice();

/// Whether a device is {kDLCUDA, `number`}, one of KERN_ALL_GPUS and KERN_AUTO.
inline bool isAsked(DLDevice device, int number) {
  return int(rawValue(device.device_type)) == kDLCUDA &&
         device.device_id == number;
}

} // namespace kern::runtime

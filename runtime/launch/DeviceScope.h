//===- DeviceScope.h - a thread's default device ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

#include <optional>

namespace kern::runtime {

/// The scopes of kern/streams.h. Each thread has its own.
void enterDeviceScope(DLDevice device);
/// Without a scope it does nothing.
void leaveDeviceScope();
/// The innermost one's device, as it was given.
std::optional<DLDevice> scopedDevice();
/// Where calls over host arrays run that ask for no device.
DLDevice defaultCallDevice();

} // namespace kern::runtime

//===- DeviceName.h - devices by name ---------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include <optional>
#include <string>

namespace kern::cli {

/// "cpu", "cuda" (the first), "cuda:1"; "auto" is no device in particular.
/// Anything else is KERN_ERROR_ARGUMENT. Does not ask whether it exists.
Expected<std::optional<kern_device>> parseDevice(const std::string &name);

} // namespace kern::cli

//===- MachineCode.h - what the driver makes of PTX -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/Cache.h"
#include "runtime/device/cuda/Module.h"

namespace kern::cuda {

/// Loads PTX text (zero-terminated) by way of the machine code that the driver
/// makes of it, which is kept in `cache` for later processes; without a cache,
/// or where the driver does not hand it out, as ModuleHandle::load().
Expected<ModuleHandle> loadByMachineCode(const Context &context,
                                         const std::string &ptx, Cache &cache);

} // namespace kern::cuda

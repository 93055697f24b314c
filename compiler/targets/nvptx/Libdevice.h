//===- Libdevice.h - the device library -------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

namespace llvm {
class Module;
} // namespace llvm

namespace kern::nvptx {

/// Links what `module` calls from NVIDIA's libdevice, which is built into this
/// library, optimised, as internal functions. What libdevice asks of the
/// compiler was answered when Kern was built: correctly rounded square roots
/// and divisions, and subnormals kept. Does nothing for a module that calls
/// none. KERN_ERROR_INTERNAL on failure.
Status linkLibdevice(llvm::Module &module);

} // namespace kern::nvptx

//===- Object.h - kernels in an object file ------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Entry.h"

#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace kern::host {

/// What an object file says of itself, beside its kernels.
struct ObjectDescription {
  std::string symbol; ///< of its kern_native_code
  /// The manifest of the kernels, as JSON.
  std::function<std::string(const std::vector<loop::Entry> &)> manifest;
};

/// Makes an optimised module one that a linker takes: elementary functions
/// have the C library's names, kernels are reached through one kern_native_code
/// alone (kern/native.h), and what LLVM may call for bf16 is inside.
void makeLinkable(llvm::Module &module, const std::vector<loop::Entry> &entries,
                  const ObjectDescription &description);

} // namespace kern::host

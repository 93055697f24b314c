//===- Kernels.h - entry points in a manifest ----------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Entry.h"
#include "runtime/artefact/Manifest.h"

namespace kern {

/// The entries that belong to the typed function `symbol`, as a manifest has
/// them.
std::vector<KernelInfo> kernelsOf(const std::vector<loop::Entry> &entries,
                                  llvm::StringRef symbol);

} // namespace kern

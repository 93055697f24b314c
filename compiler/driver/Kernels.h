//===- Kernels.h - what texts say of kernels ------------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels in a manifest, in a remark and in the header of an object file.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Entry.h"
#include "runtime/artefact/Manifest.h"

#include <span>

namespace kern {

/// The entries that belong to the typed function `symbol`, as a manifest has
/// them.
std::vector<KernelInfo> kernelsOf(const std::vector<loop::Entry> &entries,
                                  llvm::StringRef symbol);

/// The forms of a loop's kernels on the GPU as a remark (K0904) says them:
/// "contiguous kernels (4 elements a thread, 16 bytes at a time), inner,
/// tiled and strided ones". Empty for no kernels.
std::string describeForms(std::span<const KernelInfo> kernels);

/// The symbol of a kern_native_code: "gaussian_kern" for "gaussian". What C has
/// not in names becomes one `_`, and a name that does not begin with a letter
/// has `kern_` before it: the rest is reserved.
std::string nativeSymbol(llvm::StringRef name);

/// C that declares it, and lists the manifest's functions and loops.
std::string nativeHeader(const Manifest &manifest, const std::string &symbol);

} // namespace kern

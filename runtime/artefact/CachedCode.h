//===- CachedCode.h - loops and kernels as texts ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include <memory>

namespace kern::runtime {

/// A loop as the cache stores it: its types, without kernels.
std::string packLoop(const FunctionInfo &function, const LoopInfo &loop);
/// Nothing if the text is not a stored loop.
std::optional<LoopInfo> unpackLoop(std::string_view text);

/// A GPU kernel as the cache stores it: an ordinary compiled file, whose
/// manifest has only this kernel.
std::string packKernel(const FunctionInfo &function, const LoopInfo &loop,
                       const KernelInfo &kernel, std::string_view arch,
                       std::string_view ptx);
/// Nothing if the text is not such a file.
std::optional<KernelInfo> unpackKernel(std::string_view text);

/// A host kernel as the cache stores it: the manifest on one line, then the
/// object file.
std::string packObject(const FunctionInfo &function, const LoopInfo &loop,
                       const KernelInfo &kernel, std::string_view object);
struct CachedObject {
  KernelInfo kernel;
  std::string_view object; ///< part of the text
};
/// Nothing if the text is not a stored host kernel.
std::optional<CachedObject> unpackObject(std::string_view text);

} // namespace kern::runtime

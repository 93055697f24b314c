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

/// What a cache keeps of a loop: its types, without kernels.
std::string packLoop(const FunctionInfo &function, const LoopInfo &loop);
/// Nothing if the text is no such loop.
std::optional<LoopInfo> unpackLoop(std::string_view text);

/// What a cache keeps of a kernel for a GPU: PTX with a manifest that has this
/// kernel alone, which is a compiled file like any other.
std::string packKernel(const FunctionInfo &function, const LoopInfo &loop,
                       const KernelInfo &kernel, std::string_view arch,
                       std::string_view ptx);
/// Nothing if the text is no such file.
std::optional<KernelInfo> unpackKernel(std::string_view text);

/// What a cache keeps of a kernel for the host: such a manifest on one line,
/// then the object file.
std::string packObject(const FunctionInfo &function, const LoopInfo &loop,
                       const KernelInfo &kernel, std::string_view object);
struct CachedObject {
  KernelInfo kernel;
  std::string_view object; ///< part of the text
};
/// Nothing if the text is no such thing.
std::optional<CachedObject> unpackObject(std::string_view text);

} // namespace kern::runtime

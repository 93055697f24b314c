//===- Module.h - loaded code -----------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

namespace kern::runtime::cuda {

/// A CUmodule, for a context that outlives it.
class ModuleHandle {
public:
  /// Loads PTX. KERN_ERROR_ARTEFACT with the driver's log if the driver rejects
  /// the text, and with advice if the driver or the GPU is too old.
  static Expected<ModuleHandle> load(const Context &context, const char *ptx);
  ModuleHandle() = default;
  ModuleHandle(ModuleHandle &&other) noexcept;
  ModuleHandle &operator=(ModuleHandle &&other) noexcept;
  ~ModuleHandle();
  /// KERN_ERROR_ARTEFACT if there is no such kernel.
  Expected<CUfunction> function(const std::string &symbol) const;

private:
  const Context *context = nullptr;
  CUmodule module = nullptr;
};

/// A module that keeps its context and text alive. Loaded once for each
/// context and text.
class Module {
public:
  static Expected<std::shared_ptr<Module>>
  load(const std::shared_ptr<Context> &context,
       std::shared_ptr<const std::string> ptx);
  ~Module();
  Expected<CUfunction> function(const std::string &symbol) const {
    return handle.function(symbol);
  }

private:
  std::shared_ptr<Context> context; // outlives the handle below
  std::shared_ptr<const std::string> ptx;
  ModuleHandle handle;
};

} // namespace kern::runtime::cuda

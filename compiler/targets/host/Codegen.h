//===- Codegen.h - machine code from lowered kernels ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Timing.h"
#include "compiler/targets/host/Linker.h"
#include "compiler/targets/host/Object.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>

namespace kern::host {

struct Options {
  /// Forbids the contraction of `a * b + c`.
  bool isPrecise = false;
  /// Another CPU than this machine's, by LLVM's name, which may be a level of
  /// the x86-64 ABI: "x86-64-v3".
  std::string cpu = "";
  Timing *timing = nullptr; ///< gets the time of each stage, if not NULL
};

/// Compiles a module that LoopToHost has lowered, which is consumed, for this
/// machine's CPU. Safe to call from several threads on modules of different
/// contexts. Failures are KERN_ERROR_INTERNAL.
Expected<std::shared_ptr<Code>> compile(mlir::ModuleOp module,
                                        const Options &options);

/// The same as text: optimised LLVM IR, or assembly.
Expected<std::string> emitLLVM(mlir::ModuleOp module, const Options &options);
Expected<std::string> emitAssembly(mlir::ModuleOp module,
                                   const Options &options);

/// The same as an object file for linking, which holds `description` too.
Expected<std::string> emitObjectFile(mlir::ModuleOp module,
                                     const std::vector<loop::Entry> &entries,
                                     const ObjectDescription &description,
                                     const Options &options);

/// What code for this machine's CPU relies on: its name and, in order and with
/// commas between them, the features that it has, as LLVM calls both. Code runs
/// only where both are the same.
struct CpuText {
  std::string name, features;
};
CpuText cpuText();

} // namespace kern::host

//===- Codegen.h - PTX from lowered kernels ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Timing.h"
#include "runtime/error/Expected.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace kern::nvptx {

struct Options {
  /// 75 for sm_75. Between or beyond those of Architectures.h it is the nearest
  /// lower one.
  unsigned computeCapability = 75;
  /// Forbids the contraction of `a * b + c`.
  bool isPrecise = false;
  Timing *timing = nullptr; ///< gets the time of each stage, if not NULL
  /// Texts of different parts can be put together: what they define beside
  /// kernels has different names.
  unsigned part = 0;
};

/// PTX for a module that LoopToGPU has lowered, which is consumed. Safe to
/// call from several threads on modules of different contexts. A compute
/// capability below the first is KERN_ERROR_ARGUMENT, every other failure
/// KERN_ERROR_INTERNAL.
Expected<std::string> emitPtx(mlir::ModuleOp module, const Options &options);

/// The same up to optimised LLVM IR, as text.
Expected<std::string> emitLLVM(mlir::ModuleOp module, const Options &options);

} // namespace kern::nvptx

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
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

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

/// LLVM's passes for NVPTX that are left out where the largest function has so
/// many instructions. Most find nothing to do in Kern's code, whose offsets
/// share no multiples, and which has no calls of the C library, no memcmp and
/// no invoke: strength reduction alone took a quarter of code generation.
llvm::ArrayRef<llvm::StringLiteral> unwantedPasses(size_t instructions);

/// PTX for a module that LoopToGPU has lowered, which is consumed. Safe to
/// call from several threads on modules of different contexts. A compute
/// capability below the first is KERN_ERROR_ARGUMENT, every other failure
/// KERN_ERROR_INTERNAL.
Expected<std::string> emitPtx(mlir::ModuleOp module, const Options &options);

/// The same up to optimised LLVM IR, as text.
Expected<std::string> emitLLVM(mlir::ModuleOp module, const Options &options);

} // namespace kern::nvptx

//===- LoopToHost.h - kernels for the CPU -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns each loop.kernel, distributed with one lane, into a body function and
// an entry point `void (const int64_t *words)`, as described in
// docs/explanation/kernel-abi.md. For a ufunc it is `<kernel>__contiguous` or
// `<kernel>__streamed`, or `<kernel>__strided` if its body has loops or checks.
// For a gufunc it is `<kernel>__general`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace kern::ir::loop {

/// An attribute of a function whose wide stores bypass the caches. A vector of
/// n bytes is stored at a multiple of n, or of 64 if n is larger.
inline constexpr llvm::StringLiteral streamsAttribute = "kern-streams";
/// An attribute of a function that is written in vectors, and stays so.
inline constexpr llvm::StringLiteral vectorsAttribute = "kern-vectors";

struct HostOptions {
  /// Ufuncs get the streamed form instead of the contiguous one where possible.
  bool isStreamed = false;
  /// The elements of a vector in bodies with branches or loops; 0 lets the
  /// policy choose. For tests.
  unsigned lanes = 0;
};

/// The pass loop-to-host: lowers every kernel of a module to llvm.funcs with
/// arith, math, cf and func.call operations.
void lowerToHost(mlir::ModuleOp module, HostOptions options = {});

} // namespace kern::ir::loop

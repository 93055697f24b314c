//===- LoopToHost.h - kernels for the CPU -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns each loop.kernel, distributed with one lane, into a body function and
// an entry point `void (const int64_t *words)` as
// docs/explanation/kernel-abi.md says: for a ufunc `<kernel>__contiguous` or
// `<kernel>__streamed`, or
// `<kernel>__strided` if its body loops; for a gufunc `<kernel>__general`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace kern::loop {

/// Of a function whose stores are to go around the caches, where they are wide
/// enough; a vector of n bytes is stored at a multiple of n, or of 64 if that
/// is less.
inline constexpr llvm::StringLiteral streamsAttribute = "kern-streams";

/// The pass loop-to-host: lowers every kernel of a module. Afterwards it holds
/// llvm.funcs with arith, math, cf and func.call operations. With `isStreamed`,
/// ufuncs of which that is possible become of the streamed form instead of the
/// contiguous one.
void lowerToHost(mlir::ModuleOp module, bool isStreamed = false);

} // namespace kern::loop

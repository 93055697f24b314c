//===- LoopToHost.h - kernels for the CPU -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns each loop.kernel, distributed with one lane, into a body function and
// an entry point `void (const int64_t *words)` as docs/kernel-abi.md says: for
// a ufunc `<kernel>__contiguous`, or `<kernel>__strided` if its body loops; for
// a gufunc `<kernel>__general`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kern::loop {

/// Lowers every kernel of a module. Afterwards it holds llvm.funcs with arith,
/// math, cf and func.call operations.
void lowerToHost(mlir::ModuleOp module);

/// `loop-to-host`.
std::unique_ptr<mlir::Pass> createLoopToHostPass();
void registerLoopToHostPass();

} // namespace kern::loop

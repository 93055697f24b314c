//===- Across.h - gufuncs across loop elements side by side -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along axis 0 of a C array the loop elements lie side by side, and the core
// elements of each are a row apart. There a kernel of the form `across` reads
// row after row: a loop element is a lane, and a vector has several cache lines
// of a row. Sums of floats have the partial sums of the general form
// (PartialSums.h), so the results have the same bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Forms.h"

namespace kern::ir::loop {

/// Whether a gufunc, before it is distributed, has a kernel of this form. It is
/// left as it is.
bool canGoSideBySide(KernelOp kernel);

/// Emits the entry point for a body that has one.
void emitAcross(KernelBuilder &b, KernelFacts kernel,
                mlir::LLVM::LLVMFuncOp body, HostOptions options);

} // namespace kern::ir::loop

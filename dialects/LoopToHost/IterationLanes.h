//===- IterationLanes.h - iterations of a prange in vectors -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/CountedLoop.h"
#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/VectorBody.h"

namespace kern::ir::loop {

/// Lets innermost loops over a `prange` that have loops inside run several
/// iterations at once, one in each lane of a vector, where the iterations of a
/// vector read and write elements side by side if operands have unit strides.
/// Returns a clone of `body` for unit strides along all last core dimensions,
/// in which they do; null if there is no such loop.
///
/// Sums inside are added up in order, in both functions. Where a sum would read
/// elements side by side along its own loop, that is so up to a limit of its
/// length, and both functions decide by the length.
///
/// To be called before vectoriseLoops(), of a body without checks. Says of each
/// such loop in `uses` how it runs.
mlir::LLVM::LLVMFuncOp
runIterationsInLanes(KernelBuilder &b, const KernelFacts &kernel,
                     mlir::LLVM::LLVMFuncOp body, unsigned lanes,
                     std::vector<LoopUse> *uses = nullptr);

/// The loops over a `prange` in a body that have loops inside or wrap indices,
/// but no others over a `prange` inside. Where accesses allow it, their
/// iterations run in lanes.
llvm::SmallVector<CountedLoop> loopsOf(mlir::LLVM::LLVMFuncOp body);

} // namespace kern::ir::loop

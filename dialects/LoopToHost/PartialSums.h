//===- PartialSums.h - sums of floats by lanes, written out -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of floats in vectors along a core dimension has as many partial sums as
// its vectors have lanes: partial sum g adds up the elements g, g + G, g + 2 G
// and so on. Of those, the second half is added to the first one until one is
// left. Code across loop elements that groups in the same way gives the same
// bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/PanelLoop.h"

#include <string>

namespace kern::ir::loop {

/// Gives each sum and product of floats that vectoriseLoops() would put in
/// vectors its partial sums, in a local array, and removes all marks of
/// lowerLoop() (LoopLowering.h). Additions keep their flags, by which LLVM's
/// code generator contracts them as it does along a core. If iterations do not
/// go one by one, all loops of the body must be sums that allow it. Returns why
/// it cannot, to go on after "the body "; empty if it can.
std::string writePartialSums(KernelBuilder &b, mlir::LLVM::LLVMFuncOp body,
                             SumOrder order,
                             const PanelFacts *panels = nullptr);

} // namespace kern::ir::loop

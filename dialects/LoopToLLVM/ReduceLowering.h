//===- ReduceLowering.h - reductions as control flow ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/LoopLowering.h"

namespace kern::ir::loop {

/// lowerLoop() for a reduction (LoopLowering.h). The operation is left without
/// a body and without uses.
void lowerReduce(ReduceOp op, LoopStyle style);

} // namespace kern::ir::loop

//===- StagedLoop.h - a loop in order through shared memory --- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/StagePlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// A thread's tile in shared memory for an array, at the kernel's beginning.
mlir::Value makeTile(mlir::ImplicitLocOpBuilder &b, KernelOp kernel,
                     const Staging &staging, bool isChunked);

/// Stages what a plan's loops read and write, one strip of iterations at a
/// time. The elements of the next strip are fetched while those of this one are
/// used.
void stageLoops(KernelOp kernel, StagePlan &plan);

} // namespace kern::ir::loop

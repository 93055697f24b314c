//===- Phases.h - kernels of parts of a body --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body such as `b[:] = a; b[1:-1] = …` runs one loop after the other. If all
// that one leaves for the next is in the operands, each can be a kernel of its
// own, of the mapping that is best for it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"
#include "dialects/LoopToLLVM/IndexBuilder.h"

namespace kern::ir::loop {

/// The phases of a gufunc's body, in order: parallel loops, and the stores
/// between two loops together. They are there if there are several, and nothing
/// else that has an effect or a result.
Found<unsigned> phasesOf(KernelOp kernel);

/// Leaves of a kernel the phase with this number, from 1 on. What is stored
/// beside the loops is in a loop of one iteration then.
void keepPhase(KernelOp kernel, unsigned phase);

/// Puts stores of one block into a loop that runs once, in place of the last.
ParallelOp inLoop(mlir::ArrayRef<StoreOp> stores);

} // namespace kern::ir::loop

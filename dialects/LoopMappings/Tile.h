//===- Tile.h - kernels that compute tiles ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Tiling.h"

namespace kern::ir::loop {

/// Makes the threads of a group compute the items of a tile together: the last
/// flat indices of the kernel then number tiles. Each thread has several
/// results in registers. The elements that the reductions read come through
/// shared memory. Then what follows them runs for each item.
void tile(KernelOp flattened, const Tiling &tiling, const TilePlan &shape);

} // namespace kern::ir::loop

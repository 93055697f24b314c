//===- Unroll.h - short loops inside of iterations --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flat kernels whose iterations add neighbouring elements, such as filters.
// Where the reductions' extents are constants, they can be written out: the
// kernel is then one without loops, whose iterations read elements at constant
// distances from one another (Windows.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Windows.h"
#include "dialects/LoopToLLVM/Extents.h"

namespace kern::ir::loop {

/// What there is to unroll in a kernel.
struct Unrolling {
  DimTokens iterations; ///< of all reductions, in one iteration of the kernel
  /// The operands that move along their last core dimension with the kernel's
  /// last flat index.
  llvm::SmallVector<unsigned> rowOperands;
};

/// Nothing for a kernel that is not flat, that has loops other than reductions,
/// or whose neighbouring iterations have no element in common.
std::optional<Unrolling> unrollingOf(KernelOp flattened);

/// Writes out the reductions of such a kernel, each sum in the order of its
/// iterations, as a single lane adds it. False, with the kernel half changed,
/// if an extent is not constant.
bool unroll(KernelOp flattened);

} // namespace kern::ir::loop

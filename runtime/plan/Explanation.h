//===- Explanation.h - why operands are read as they are --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a launch accesses each operand, and what prevents faster accesses, for
// the author of a kernel. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/KernelAccess.h"
#include "runtime/plan/HostTiling.h"

namespace kern::runtime {

struct Explanation {
  /// Why not all operands are contiguous, if they are not: a predicate such as
  /// "runs backwards".
  Obstacle obstacle;
  size_t culprit = 0;           ///< the operand that this is about
  std::vector<Access> accesses; ///< one for each operand
};

/// The accesses of a GPU kernel. `layout` is the call's, not empty, before the
/// kernel's form rearranged it. `across` are the inputs that a tiled kernel
/// takes through shared memory.
Explanation explainCuda(const KernelInfo &kernel, const Layout &layout,
                        std::span<const KernelOperand> operands,
                        uint64_t across);

/// The accesses of a host kernel that walks in `tiling`.
Explanation explainHost(const KernelInfo &kernel, const Layout &layout,
                        std::span<const KernelOperand> operands,
                        const HostTiling &tiling);

/// The explanation as text; `labels` names the operands.
std::string text(const Explanation &explanation,
                 std::span<const std::string> labels);

} // namespace kern::runtime

//===- Explanation.h - why operands are read as they are --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a launch accesses each operand and what keeps it from being faster, for
// the author of a kernel. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/KernelAccess.h"
#include "runtime/plan/HostTiling.h"

namespace kern::runtime {

struct Explanation {
  /// Why not all operands are single rows side by side, if they are not: a
  /// predicate, "runs backwards".
  Obstacle obstacle;
  size_t culprit = 0;           ///< the operand of which it speaks
  std::vector<Access> accesses; ///< one for each operand
};

/// Of a kernel on a GPU. `layout` is that of the call, not empty, before the
/// kernel's form rearranged it; `across` are the inputs that a tiled kernel
/// takes through shared memory.
Explanation explainCuda(const KernelInfo &kernel, const Layout &layout,
                        std::span<const KernelOperand> operands,
                        uint64_t across);

/// Of a kernel on the host, whose loop goes in `tiling`.
Explanation explainHost(const KernelInfo &kernel, const Layout &layout,
                        std::span<const KernelOperand> operands,
                        const HostTiling &tiling);

/// Lines for people; `labels` names the operands.
std::string text(const Explanation &explanation,
                 std::span<const std::string> labels);

} // namespace kern::runtime

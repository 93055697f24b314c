//===- KernelAccess.h - how wide a kernel's accesses are --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include <vector>

namespace kern::runtime {

/// How a kernel reaches one operand.
struct Access {
  int64_t bytes = 0; ///< of one access; 0: its value is among the arguments
  Obstacle obstacle; ///< what keeps it from being wider, if anything does
  bool operator==(const Access &) const = default;
};

/// How many elements one access of a contiguous GPU kernel takes. `widest` is
/// the largest element size in bytes among all operands, `withScalars` among
/// those that stay arrays if every input after the first is a number. The
/// latter decides in kernels with a path for such calls.
int64_t contiguousChunk(const KernelInfo &kernel, int64_t widest,
                        int64_t withScalars);

/// The widest accesses that a GPU kernel of this loop makes to each input and
/// then to each output, for the best arrays.
std::vector<Access> widestAccesses(const KernelInfo &kernel,
                                   const FunctionInfo &function,
                                   const LoopInfo &loop);

} // namespace kern::runtime

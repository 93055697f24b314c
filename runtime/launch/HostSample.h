//===- HostSample.h - what a call costs on the host -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/Bind.h"

namespace kern::runtime {

/// What the host's kernel of a loop costs: of a call, measured once on its
/// first elements, on one thread, without writing to the caller's arrays. Kept
/// with the loop; a small call's is replaced by that of a larger one. Takes
/// some tens of milliseconds at most, and makes the kernel. Where the call
/// cannot be sampled (it writes to its arguments, or one element is too much),
/// the manifest's estimate is all there is, and nothing is kept.
Expected<HostCost> hostCost(const BoundCall &call);

/// The indices of a call's loop and core dimensions, which a cost is for.
int64_t indicesOf(const BoundCall &call, const Extents &loopShape);

} // namespace kern::runtime

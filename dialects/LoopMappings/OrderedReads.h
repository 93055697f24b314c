//===- OrderedReads.h - lanes that read for loops in order ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside pranges every lane runs the loops in order, and each iteration would
// wait for what it reads. So the lanes of a warp read the elements of 32
// iterations at once, one each, long before these run, and give them to one
// another.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Whether a kernel has loops in order beside pranges that read elements one
/// after the other.
bool canReadTogether(KernelOp kernel);

/// Lets lanes read for these loops. Groups then have whole warps.
void readTogether(KernelOp kernel);

} // namespace kern::ir::loop

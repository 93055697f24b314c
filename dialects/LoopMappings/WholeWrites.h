//===- WholeWrites.h - arrays that a kernel writes whole ------- -*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/StagePlan.h"

namespace kern::ir::loop {

/// Whether a kernel surely writes every element of each array of the list.
/// Counts the elements by running what follows from constants: loops, indices,
/// branches. Of branches that follow from data, what both ways may write does
/// not count. Without constant extents, and where that would take long, the
/// answer is no.
std::vector<bool> areWrittenWhole(KernelOp kernel,
                                  llvm::ArrayRef<Staging> arrays);

} // namespace kern::ir::loop

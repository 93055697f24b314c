//===- ConstantExtents.h - dimensions of one call --------- -*- C++ -*- ===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Makes extents constants in a gufunc's kernel: for each of its dimensions the
/// extent, or 0 where it stays a value of the call. Loops over constant extents
/// are unrolled. Nothing changes if there are none.
void setConstantExtents(KernelOp kernel, llvm::ArrayRef<int64_t> extents);

} // namespace kern::ir::loop

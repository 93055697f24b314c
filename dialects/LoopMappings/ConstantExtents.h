//===- ConstantExtents.h - dimensions of one call --------- -*- C++ -*- ===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Makes extents of a gufunc's kernel constants. `extents` has one entry for
/// each dimension; 0 leaves it to the call. Loops over constant extents are
/// unrolled.
void setConstantExtents(KernelOp kernel, llvm::ArrayRef<int64_t> extents);

} // namespace kern::ir::loop

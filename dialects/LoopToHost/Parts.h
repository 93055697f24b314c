//===- Parts.h - parts of a loop element for threads ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gufunc with one `prange`, which could be flat on a GPU, gets two more
// dimensions: the number of a part and how many parts there are. A call of it
// runs that part of the outermost range. So several threads can work on one
// loop element.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// The attribute of a kernel whose last two dimensions are a part and the
/// number of parts.
inline constexpr llvm::StringLiteral partsAttribute = "loop.parts";

/// Maps the loops of a gufunc to a CPU: takes it for a product of matrices
/// (Product.h), or lets the iterations of its `prange` go in parts, if it can.
void mapToHost(KernelOp kernel);

} // namespace kern::ir::loop

//===- CoreExtents.h - the extents of arrays ------------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Extents.h"

namespace kern::ir::loop {

/// The extents of an operand with core dimensions, or of a local array, as
/// expressions of the kernel's dimensions; nothing if one of them is another.
std::optional<llvm::SmallVector<DimTokens>> extentsOf(KernelOp kernel,
                                                      mlir::Value array);

/// Whether dimValue() has operations for all of an expression.
bool hasValue(llvm::ArrayRef<runtime::DimToken> tokens);

/// The value of an expression, from the kernel's dimensions.
mlir::Value dimValue(mlir::ImplicitLocOpBuilder &b, KernelOp kernel,
                     llvm::ArrayRef<runtime::DimToken> tokens);

//===--- ConstantExtents.cpp --------------------------------------------===//
/// Makes extents of a gufunc's kernel constants. `extents` has one entry for
/// each dimension; 0 leaves it to the call. Loops over constant extents are
/// unrolled.
void setConstantExtents(KernelOp kernel, llvm::ArrayRef<int64_t> extents);

} // namespace kern::ir::loop

//===- Extents.h - the extents of shared loops ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "runtime/artefact/Nest.h"

namespace kern::ir::loop {

/// Reverse Polish notation over a kernel's `dim_names`, and its form as an
/// attribute: an ArrayAttr of strings.
using DimTokens = llvm::SmallVector<runtime::DimToken, 4>;
DimTokens tokensOf(mlir::ArrayAttr extent);
mlir::ArrayAttr attributeOf(mlir::MLIRContext *context,
                            llvm::ArrayRef<runtime::DimToken> tokens);

/// An i64 as an expression of the kernel's dimensions, in which all flat
/// indices are 0; nothing if it is not one.
std::optional<DimTokens> dimExpression(KernelOp kernel, mlir::Value value);
/// How often a range runs, likewise.
std::optional<DimTokens> tripExpression(KernelOp kernel, mlir::Value lower,
                                        mlir::Value upper, mlir::Value step);

/// The extents of the kernel's top-level parallel loops and reductions, without
/// duplicates, in reverse Polish notation over its `dim_names`: an ArrayAttr of
/// ArrayAttr of strings. An extent that is not an expression of dimensions has
/// a bound instead, such as that of a window around an index. If it depends on
/// data, the bound is the largest dimension, divided among the iterations of a
/// flat nest. Empty for a kernel without such loops; the runtime then gives
/// each loop element a single lane.
mlir::ArrayAttr sharedExtents(KernelOp kernel);

} // namespace kern::ir::loop

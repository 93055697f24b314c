//===- Extents.h - extents that must not be empty ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"

namespace kern::ir {

/// The extents that must be at least 1, known before the call; null if there
/// are none. Each is an array of strings in reverse Polish notation over names
/// of dimensions, integers and + - * // % min max.
///
/// They are the ranges of reductions without an identity (min, max, argmin,
/// argmax) that have no filter, have step 1, run on every path, and depend on
/// dimensions and constants alone. A reduction inside another loop counts only
/// if the outer ranges are not empty. An extent of more than maxDimTerms terms
/// counts as unknown. An extent `e` of a local array that is made on every path
/// is added as `1 e >=0 max`: 1 for a valid size, no value (`>=0`) if negative.
/// Extents that must be equal are added as `1 a b == max`, whichever path meets
/// them. An extent `e` that a slice with constant bounds needs to be at least
/// `c` is added as `1 e c >= max` if the slice is taken on every path, and in
/// loops with a `c` that is 0 if an outer range is empty.
mlir::ArrayAttr nonemptyExtents(FuncOp function);

/// The size of a local array in bytes, in the same notation and rounded up to a
/// multiple of 16. A negative extent counts as 0. Adds room for `more`
/// elements. Null if an extent is not an expression of dimensions and
/// constants, of at most maxDimTerms terms.
mlir::ArrayAttr localBytes(LocalOp local, unsigned elementBytes,
                           unsigned more = 0);

/// Likewise for an array with the core dimensions of an operand.
mlir::ArrayAttr bytesOf(OperandAttr operand, unsigned elementBytes,
                        unsigned more = 0);

} // namespace kern::ir

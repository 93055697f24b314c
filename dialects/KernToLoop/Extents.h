//===- Extents.h - extents that calls must have -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"

namespace kern::ir {

/// What the extents of a call must be, known before it.
struct NeededExtents {
  mlir::ArrayAttr nonempty; ///< null if there are none
  mlir::ArrayAttr least;    ///< as `least_extents` of loop.kernel; may be null
};
/// `nonempty` are extents that must be at least 1. Each is an array of strings
/// in reverse Polish notation over names of dimensions, integers and + - * // %
/// min max.
///
/// They are the ranges of reductions without an identity (min, max, argmin,
/// argmax) that have no filter, have step 1, run on every path, and depend on
/// dimensions and constants alone. A reduction inside another loop counts only
/// if the outer ranges are not empty. An extent of more than maxDimTerms terms
/// counts as unknown. An extent `e` of a local array that is made on every path
/// is added as `1 e >=0 max`: 1 for a valid size, no value (`>=0`) if negative.
/// Extents that must be equal are added as `1 a b == max`, whichever path meets
/// them.
///
/// `least` are those that constant indices and slices need, if these are taken
/// on every path: of each extent, the largest need. In loops it is multiplied
/// by 0 if an outer range is empty.
NeededExtents neededExtents(FuncOp function);

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

//===- Extents.h - extents that must not be empty ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"

namespace kern {

/// The extents of the reductions of `function` that have no value for nothing
/// (min, max, argmin, argmax), as far as they are known before the call: not
/// filtered, with step 1, run on every path, and over a range computed from
/// dimensions and constants alone. Each is an array of strings in reverse
/// Polish notation over names of dimensions, integers and + - * // % min max.
/// A reduction inside a prange counts only where the outer ranges are not
/// empty. An extent of more than maxDimTerms terms counts as unknown. The
/// extents of local arrays that are made on every path are among
/// them as `1 e >=0 max`: 1 if `e` is a size, and no value (`>=0`) if it is
/// negative. Null if there is none.
mlir::ArrayAttr nonemptyExtents(FuncOp function);

/// The bytes of a local array in the same notation, rounded up to a multiple of
/// 16; an extent below 0 counts as 0. Null if an extent is not made of
/// dimensions and constants, at most maxDimTerms of them. With `more` elements
/// than the extents say.
mlir::ArrayAttr localBytes(LocalOp local, unsigned elementBytes,
                           unsigned more = 0);

/// Likewise the bytes of an array with the core dimensions of an operand.
mlir::ArrayAttr bytesOf(OperandAttr operand, unsigned elementBytes,
                        unsigned more = 0);

} // namespace kern

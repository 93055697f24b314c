//===- WholeArrays.h - stores to arrays and their parts ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::compiler {

/// `y[:] = value`: stores a number or the elements of an array to all elements
/// of a part of an array, with NumPy's broadcasting of literal extents of 1.
/// The elements are as before the statement, wherever they are read.
void assignPart(FunctionLowering &fn, const ArrayView &target,
                const Binding &value, Span place, Span span);

//===--- Swaps.cpp --------------------------------------------------------===//
/// `a, b = b, a` of local arrays: their elements change places. False for any
/// other statement.
bool lowerSwap(FunctionLowering &fn, const syntax::Assign &statement,
               Span span);
/// Whether lowerSwap() would do so.
bool movesElements(FunctionLowering &fn, const syntax::Assign &statement);

//===--- SameExtents.cpp --------------------------------------------------===//
/// Whether two values of indices or extents are always equal; both may be null.
bool isSameIndex(mlir::Value a, mlir::Value b);

/// The same for extents, however they are computed.
bool isSameExtent(mlir::Value a, mlir::Value b);
/// Whether two extents are known to differ.
bool areDifferent(mlir::Value a, mlir::Value b);
/// An extent that is the same for all sizes of dimensions, as that of `a[-1:]`.
std::optional<int64_t> knownExtent(mlir::Value extent);

/// Whether two extents may be equal. Reports extents that are known to differ,
/// of the target `name` and of its value, or of two arguments of the function
/// `name`. Extents of core dimensions are compared at each call, others with
/// `--check=bounds`.
bool checkSameExtent(FunctionLowering &fn, const std::string &name,
                     mlir::Value target, mlir::Value value, Span span,
                     Diag id = Diag::extents_differ);
/// Lets calls check that an extent of core dimensions and constants is at least
/// this large, if they surely come here: that of an axis of `array`.
void requireExtent(FunctionLowering &fn, mlir::Value extent, int64_t least,
                   llvm::StringRef array, size_t axis, Span span);

//===--- WholeArrays.cpp --------------------------------------------------===//
/// A local array of these extents and a type; nothing if a call does not decide
/// the extents.
std::optional<ArrayView> localOf(FunctionLowering &fn, TypeName type,
                                 llvm::ArrayRef<mlir::Value> extents,
                                 Span span);
/// The same with elements of the type of `like`.
std::optional<ArrayView> localLike(FunctionLowering &fn, mlir::Value like,
                                   llvm::ArrayRef<mlir::Value> extents,
                                   Span span);

/// The elements of one small array, in C order: their indices as constants.
/// Nothing for an array that is larger, or of another size at each call.
std::optional<llvm::SmallVector<llvm::SmallVector<int64_t>>>
fewIndices(llvm::ArrayRef<mlir::Value> extents);

/// Whether a store to `target` at some indices may change what `source` has at
/// others.
bool isMoved(const ArrayView &source, const ArrayView &target);

/// Runs `body` for all indices below these extents, in any order.
void forEachIndex(FunctionLowering &fn, llvm::ArrayRef<mlir::Value> extents,
                  llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body,
                  Span span);

/// The element of a view at the indices of its open axes.
ArrayView elementOf(FunctionLowering &fn, ArrayView view,
                    llvm::ArrayRef<mlir::Value> indices, Span span);

} // namespace kern::compiler

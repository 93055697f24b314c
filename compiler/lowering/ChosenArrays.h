//===- ChosenArrays.h - arrays that a condition chooses ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::compiler {

/// Whether two views may have an element of one array.
bool mayShareArray(const ArrayView &a, const ArrayView &b);

/// Whether two views are parts of arrays of one shape, taken in one way, so
/// that a name may mean either of them. They may lie at other places.
bool haveSameShape(const ArrayView &a, const ArrayView &b);

/// The same, if each call finds extents of dimensions with different names
/// equal, which requireSameShape() asks for.
bool mayHaveSameShape(const ArrayView &a, const ArrayView &b);
void requireSameShape(FunctionLowering &fn, const ArrayView &a,
                      const ArrayView &b, Span span);

/// Whether placeOf() gives the same kinds of numbers for two such views.
bool havePlacesAlike(const ArrayView &a, const ArrayView &b);
/// The same view, for which it gives a first index wherever the others have
/// one.
ArrayView withPlaceAs(FunctionLowering &fn, ArrayView view,
                      llvm::ArrayRef<const ArrayView *> others, Span span);

/// What differs among views of one shape: where they lie, and then the number
/// of the array among `arrays`. In the order of withPlace().
llvm::SmallVector<Number> placeOf(FunctionLowering &fn, const ArrayView &view,
                                  llvm::ArrayRef<mlir::Value> arrays,
                                  Span span);
/// The view at another place.
ArrayView withPlace(FunctionLowering &fn, ArrayView view,
                    llvm::ArrayRef<mlir::Value> arrays,
                    llvm::ArrayRef<mlir::Value> place, Span span);

//===--- ChosenParts.cpp --------------------------------------------------===//
/// Whether a name may mean either of two parts that are taken in different
/// ways, as `x` and `x[::-1]`: their extents are equal, which
/// requireSameShape() asks for.
bool mayBeChosenParts(const ArrayView &a, const ArrayView &b);
/// Whether an expression surely means a part of an array that is taken in
/// another way than a view, as `x[::-1]` and `x`. Lowers nothing.
bool isTakenOtherwise(const FunctionLowering &fn, const ArrayView &view,
                      const syntax::Expr &value);
/// The views that one may be, in the order of the arrays; none is chosen.
std::vector<ArrayView> partsOf(FunctionLowering &fn, const ArrayView &view,
                               Span span);
/// The parts that some views may be. Those that differ in place alone are one.
std::vector<ArrayView> partsOf(FunctionLowering &fn,
                               llvm::ArrayRef<const ArrayView *> views,
                               Span span);
/// Where each of the parts lies, and then the number of the one that the view
/// is. What it is not lies anywhere.
llvm::SmallVector<Number> placeAmong(FunctionLowering &fn,
                                     const ArrayView &view,
                                     llvm::ArrayRef<ArrayView> parts,
                                     Span span);
/// The view that is one of the parts, at such a place, with another's extents.
ArrayView withPlaceAmong(FunctionLowering &fn, const ArrayView &like,
                         std::vector<ArrayView> parts,
                         llvm::ArrayRef<mlir::Value> place, Span span);
/// Where a number is chosen beside arrays, an array of their shape that is
/// filled with it, at the end of its path. Leaves the number if no call decides
/// the shape.
void fillNumbers(FunctionLowering &fn, llvm::MutableArrayRef<Binding> values,
                 llvm::ArrayRef<mlir::Block *> paths, Span span);

//===--- ChosenArrays.cpp -------------------------------------------------===//
/// A number of an array, which inference follows.
mlir::Value arrayNumber(FunctionLowering &fn, size_t number, Span span);
/// All arrays that some views may be, each once.
std::vector<mlir::Value> arraysOf(llvm::ArrayRef<const ArrayView *> views);

/// Whether all arrays exist wherever control comes from these blocks.
bool existAfter(llvm::ArrayRef<mlir::Value> arrays,
                llvm::ArrayRef<mlir::Block *> blocks);

//===--- HoistedArrays.cpp ------------------------------------------------===//
/// Makes local arrays that only some paths make before the paths part. Arrays
/// of a region within stay there, and arrays of zeros in a loop within.
void makeBefore(FunctionLowering &fn, llvm::ArrayRef<mlir::Value> arrays,
                llvm::ArrayRef<mlir::Block *> paths);
/// Where some of the views, one of each path, are whole local arrays, and the
/// others parts of inputs of the same extents: copies these to local arrays at
/// the ends of their paths, which may then end in other blocks. Nothing can
/// tell, since inputs keep their values.
void copyInputs(FunctionLowering &fn, std::vector<ArrayView> &views,
                llvm::MutableArrayRef<mlir::Block *> paths, Span span);

//===--- ChosenArrays.cpp -------------------------------------------------===//
/// Runs `access` for the array that a view is: on a path for each, if a
/// condition chooses it. Gives the value of that path, if accesses give any.
mlir::Value onArray(FunctionLowering &fn, const ArrayView &view,
                    llvm::function_ref<mlir::Value(const ArrayView &)> access,
                    Span span);

/// A value of the type of a view's elements, or its array.
mlir::Value typedLike(FunctionLowering &fn, const ArrayView &view, Span span);

//===--- Swaps.cpp --------------------------------------------------------===//
/// Whether a name is that of an array to which the function writes results: it
/// means that array throughout.
bool isWrittenOperand(FunctionLowering &fn, const std::string &name);

/// Adds the names that a target binds: not those of arrays that it writes to.
void collectBound(const syntax::Expr &target, std::set<std::string> &names);

/// Names of arrays that a loop binds again, and the arrays that they may mean.
struct Rebinding {
  std::set<std::string> names;
  std::vector<mlir::Value> arrays;
  /// Names that have places of their own (LoopArrays.h), and the swaps that
  /// only change what these mean.
  std::set<std::string> owned = {};
  std::vector<const syntax::Assign *> renaming = {};
};
Rebinding reboundIn(FunctionLowering &fn, const syntax::Block &body);

//===--- ChosenArrays.cpp -------------------------------------------------===//
/// Lowers each of two expressions on the path on which a condition chooses it,
/// and gives what the paths have in common.
Binding onBranches(FunctionLowering &fn, mlir::Value condition,
                   const syntax::Conditional &expr,
                   llvm::function_ref<Binding(const syntax::Expr &)> lower,
                   Span span);

} // namespace kern::compiler

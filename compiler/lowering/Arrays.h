//===- Arrays.h - views, accesses and local arrays ------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern::compiler {

std::optional<Binding> lowerSubscript(FunctionLowering &fn,
                                      const syntax::Subscript &subscript,
                                      Span span);
/// The part of a view that a subscript selects; nothing after an error.
std::optional<ArrayView> indexView(FunctionLowering &fn, ArrayView view,
                                   const syntax::Subscript &subscript,
                                   Span span);
/// The same, or the element where it selects one.
std::optional<Binding> partOf(FunctionLowering &fn, const ArrayView &view,
                              const syntax::Subscript &subscript, Span span);
/// Reports a constant index that the array or tuple `name` does not have.
void reportOutside(FunctionLowering &fn, int64_t index, int64_t size,
                   const std::string &name, Span span);
/// The index of the array's axis that an index of the view's means.
mlir::Value positionOn(FunctionLowering &fn, const Axis &axis,
                       mlir::Value index, Span span);
/// The same elements with the axes in reverse order.
ArrayView transposed(ArrayView view);
/// `transpose(a)`, and `transpose(a, (1, 0, 2))` with the order of the axes.
std::optional<Binding> lowerTranspose(FunctionLowering &fn,
                                      const syntax::Call &call, Span span);
/// Fixes the first open axis at an index.
ArrayView atFirst(FunctionLowering &fn, ArrayView view, mlir::Value index,
                  Span span);
/// The indices of a view without open axes.
llvm::SmallVector<mlir::Value> indicesOf(const ArrayView &element);
mlir::Value load(FunctionLowering &fn, const ArrayView &element, Span span);
/// Null after an error.
ir::StoreOp store(FunctionLowering &fn, mlir::Value value,
                  const ArrayView &element, Span span);
/// Records a write to the array; reports it where writing is not allowed.
bool checkWritable(FunctionLowering &fn, const ArrayView &view, Span span);

mlir::Value extentOf(const ArrayView &view, unsigned openAxis);
/// The number of elements.
mlir::Value sizeOf(FunctionLowering &fn, const ArrayView &view, Span span);

/// The type that an argument names; reports one that names none, with an
/// `example` of a call.
std::optional<TypeName> elementTypeOf(FunctionLowering &fn,
                                      const syntax::Expr &expr,
                                      llvm::StringRef example);
/// `zeros`, `empty`, `ones`, `full`, and those that end in `_like`.
std::optional<Binding> lowerLocalArray(FunctionLowering &fn,
                                       llvm::StringRef name,
                                       const syntax::Call &call, Span span);
/// `array([a, b])`, also with a type: a local array with the elements of a list
/// or of an array.
std::optional<Binding> lowerArrayCall(FunctionLowering &fn,
                                      const syntax::Call &call, Span span);

//===--- IndexConstants.cpp -----------------------------------------------===//
/// An index that is a constant with a type, `i64(-1)`, or computed from such
/// ones, as the constant that it is; any other as it is.
Number asConstantIndex(const Number &index);

//===--- TupleElements.cpp ------------------------------------------------===//
/// Whether all elements are numbers, arrays of one rank, or tuples of equally
/// many whose elements at one place are such.
bool areAlike(llvm::ArrayRef<Binding> elements);
/// `t[i]` of a tuple: the element at an index that is known at compile time,
/// also as the counter of a loop that is written out; else the one that the
/// index chooses, if all are numbers, arrays of one shape, or tuples of as
/// many.
std::optional<Binding> lowerTupleIndex(FunctionLowering &fn, const Tuple &tuple,
                                       const syntax::Subscript &subscript,
                                       Span span);

//===--- Tables.cpp -------------------------------------------------------===//
/// The array that a table of constants is.
ArrayView tableOf(FunctionLowering &fn, const NamedConstant &table, Span span);
/// A tuple of constants, or of such tuples, as a table; nothing for any other.
std::optional<ArrayView> tableOf(FunctionLowering &fn, const Tuple &tuple,
                                 Span span);
/// `[a, b]`: a table if all elements are constants, else a local array.
std::optional<Binding> lowerList(FunctionLowering &fn, const syntax::List &list,
                                 Span span);
/// The element of a table whose indices are constants; null for other accesses.
mlir::Value elementOfTable(FunctionLowering &fn, const ArrayView &element,
                           Span span);
/// The elements of a table, or its rows, if a loop over them is short enough to
/// be written out.
std::optional<std::vector<Binding>>
shortTable(FunctionLowering &fn, const ArrayView &view, Span span);

//===--- Arrays.cpp -------------------------------------------------------===//
/// Whether a value is computed from constants, core dimensions and `dim`s
/// alone. Such a value is known before the kernel runs.
bool isShapeValue(mlir::Value value);
/// Whether such a value is an expression of more than maxDimTerms of them.
bool isLargeShape(mlir::Value value);

} // namespace kern::compiler

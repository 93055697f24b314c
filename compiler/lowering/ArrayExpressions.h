//===- ArrayExpressions.h - arithmetic on whole arrays -------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

#include <map>

namespace kern::compiler {

/// An expression with arrays among its operands, `(v - mean(v)) / s`. Its
/// elements are computed where they are needed.
class ArrayExpression {
public:
  /// The number of dimensions of an expression; 0 for a number and for anything
  /// else that is not an expression of arrays. Lowers nothing.
  static size_t rankOf(FunctionLowering &fn, const syntax::Expr &expr);
  /// Whether an expression has dimensions and is not just an array or a part of
  /// one.
  static bool isOne(FunctionLowering &fn, const syntax::Expr &expr);

  /// Lowers the numbers and the parts of arrays in an expression; nothing after
  /// an error.
  static std::optional<ArrayExpression> of(FunctionLowering &fn,
                                           const syntax::Expr &expr);

  /// The extents after NumPy's broadcasting, in which only a literal 1 repeats.
  /// Nothing after an error.
  std::optional<llvm::SmallVector<mlir::Value>> extents(FunctionLowering &fn);
  /// Checks that the operands can be repeated to these extents, those of
  /// `name`; false after an error.
  bool fit(FunctionLowering &fn, const std::string &name,
           llvm::ArrayRef<mlir::Value> extents);
  /// The element at these indices, after extents() or fit(); nothing after an
  /// error.
  std::optional<Number> at(FunctionLowering &fn,
                           llvm::ArrayRef<mlir::Value> indices) const;
  /// The arrays that are read.
  llvm::ArrayRef<const ArrayView *> views() const { return arrays; }

private:
  struct Operand {
    Binding value;
    llvm::SmallVector<bool> repeats; ///< for each open axis of an array
  };

  bool prepare(FunctionLowering &fn, const syntax::Expr &expr);
  std::optional<Number> at(FunctionLowering &fn, const syntax::Expr &expr,
                           llvm::ArrayRef<mlir::Value> indices) const;
  std::optional<Number> callAt(FunctionLowering &fn, const syntax::Call &call,
                               Span span,
                               llvm::ArrayRef<mlir::Value> indices) const;

  const syntax::Expr *root = nullptr;
  std::map<const syntax::Expr *, Operand> operands;
  llvm::SmallVector<const ArrayView *> arrays; ///< in `operands`
};

//===--- ArrayStatements.cpp ----------------------------------------------===//
/// `y[:] = (v - m) / s`, or `d = v - m`, which makes a local array. False for
/// an assignment of any other value.
bool lowerArrayAssign(FunctionLowering &fn, const syntax::Assign &statement);
/// `return v * 2` in a function with one result, an array: stores it and
/// returns. False for any other function, and for a value without dimensions.
bool lowerArrayReturn(FunctionLowering &fn, const syntax::Expr &value,
                      Span span);
/// `y[:] += w * v`, or `y += v` of an array. False for any other target.
bool lowerArrayUpdate(FunctionLowering &fn,
                      const syntax::AugmentedAssign &statement);

/// A new local array with the elements of an expression of arrays. Without a
/// name it takes that which it is first assigned to. Nothing after an error.
std::optional<ArrayView> keepExpression(FunctionLowering &fn,
                                        const syntax::Expr &expr,
                                        const std::string &name);

} // namespace kern::compiler

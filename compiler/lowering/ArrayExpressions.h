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

class ComputedArray;

/// An expression with arrays among its operands, `(v - mean(v)) / s`. Its
/// elements are computed where they are needed.
class ArrayExpression {
public:
  /// Whether an expression has dimensions and is not just an array or a part of
  /// one. Lowers nothing.
  static bool isOne(FunctionLowering &fn, const syntax::Expr &expr);

  /// Lowers the numbers and the parts of arrays in an expression; nothing after
  /// an error.
  static std::optional<ArrayExpression> of(FunctionLowering &fn,
                                           const syntax::Expr &expr);
  /// The same for an operand of a computed array, which reads each element
  /// several times: what is itself computed is kept in a local array.
  static std::optional<ArrayExpression> ofElements(FunctionLowering &fn,
                                                   const syntax::Expr &expr);

  /// The elements of an array, in place of an expression.
  static ArrayExpression ofView(const syntax::Expr &expr,
                                const ArrayView &view);

  /// The extents after NumPy's broadcasting, in which only a literal 1 repeats.
  /// Nothing after an error.
  std::optional<llvm::SmallVector<mlir::Value>> extents(FunctionLowering &fn);
  /// Checks that the operands can be repeated to these extents, those of
  /// `name`; false after an error. Keeps what is computed and is repeated in a
  /// local array, so that no element is computed twice.
  bool fit(FunctionLowering &fn, const std::string &name,
           llvm::ArrayRef<mlir::Value> extents);
  /// The element at these indices, after extents() or fit(); nothing after an
  /// error.
  std::optional<Number> at(FunctionLowering &fn,
                           llvm::ArrayRef<mlir::Value> indices) const;
  /// The arrays that are read.
  llvm::SmallVector<const ArrayView *> views() const;
  /// What it has been made from.
  const syntax::Expr &expression() const { return *root; }
  /// Whether an element may be made of others than those at its indices.
  bool isScattered() const;

private:
  /// A number, an array, or a computed array.
  struct Operand {
    Binding value;
    std::shared_ptr<ComputedArray> computed; ///< in place of `value`
    llvm::SmallVector<bool> repeats;         ///< for each axis of an array

    llvm::SmallVector<mlir::Value> extents() const;
    llvm::SmallVector<mlir::Value> indices(FunctionLowering &fn,
                                           llvm::ArrayRef<mlir::Value> all,
                                           Span span) const;
  };

  /// `isOnce`: each element is asked for once.
  static std::optional<ArrayExpression>
  prepared(FunctionLowering &fn, const syntax::Expr &expr, bool isOnce);
  bool prepare(FunctionLowering &fn, const syntax::Expr &expr, bool isOnce);
  void add(const syntax::Expr &expr, Operand operand);
  /// Puts a local array with its elements in place of what is computed.
  static bool keep(FunctionLowering &fn, const syntax::Expr &expr,
                   Operand &operand);
  bool fitOperand(FunctionLowering &fn, const syntax::Expr &expr,
                  const std::string &name, llvm::ArrayRef<mlir::Value> extents);
  std::optional<Number> at(FunctionLowering &fn, const syntax::Expr &expr,
                           llvm::ArrayRef<mlir::Value> indices) const;
  std::optional<Number> callAt(FunctionLowering &fn, const syntax::Call &call,
                               Span span,
                               llvm::ArrayRef<mlir::Value> indices) const;

  const syntax::Expr *root = nullptr;
  std::map<const syntax::Expr *, Operand> operands;
  llvm::SmallVector<const syntax::Expr *> arrays; ///< the operands with axes
};

//===--- ArrayStatements.cpp ----------------------------------------------===//
/// `y[:] = (v - m) / s`, or `d = v - m`, which makes a local array. False for
/// an assignment of any other value.
bool lowerArrayAssign(FunctionLowering &fn, const syntax::Assign &statement);
/// `y[:] += w * v`, or `y += v` of an array. False for any other target.
bool lowerArrayUpdate(FunctionLowering &fn,
                      const syntax::AugmentedAssign &statement);

/// Stores the elements of an expression that fit() the target.
void storeElements(FunctionLowering &fn, const ArrayView &target,
                   const ArrayExpression &value, Span place, Span span);
/// Stores what an expression gives, or joins it by the function of an augmented
/// assignment. `a if c else b` is stored on either path.
void storeExpression(FunctionLowering &fn, const ArrayView &target,
                     const syntax::Expr &value, Span place,
                     std::optional<ir::ScalarFunction> update = std::nullopt);

//===--- ArrayReturns.cpp -------------------------------------------------===//
/// `return v * 2, w` in a function with array results: stores them and returns
/// the others. False for any other function, and for values of other shapes
/// than the results'.
bool lowerArrayReturn(FunctionLowering &fn, const syntax::Expr &value,
                      Span span);
/// The same of an expression that gives a tuple of such values: a name of one,
/// or a call of a `def`.
bool storeReturned(FunctionLowering &fn, const Binding &value,
                   const syntax::Expr &expr, Span span);

//===--- KeptArrays.cpp ---------------------------------------------------===//
/// A new local array with the elements of an expression of arrays. Without a
/// name it takes that which it is first assigned to. Nothing after an error.
std::optional<ArrayView> keepExpression(FunctionLowering &fn,
                                        const syntax::Expr &expr,
                                        const std::string &name);
/// The same of what an expression has been made from.
std::optional<ArrayView> keepElements(FunctionLowering &fn,
                                      ArrayExpression &value,
                                      const std::string &name, Span span);

/// A size of constants and core dimensions, computed here once more.
mlir::Value computedHere(FunctionLowering &fn, mlir::Value size);

/// Whether an expression is an array, or a part of one, that has a name; or may
/// be one, by a condition.
bool namesArray(FunctionLowering &fn, const syntax::Expr &expr);

/// An array that has a name on one path, and is made on another.
Binding lowerNamedOrNew(FunctionLowering &fn, const syntax::Conditional &choice,
                        Span span);

/// What an expression gives where an array may stand: one of arrays is kept.
std::optional<Binding> lowerWhole(FunctionLowering &fn,
                                  const syntax::Expr &expr);

} // namespace kern::compiler

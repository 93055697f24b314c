//===- ComputedArrays.h - arrays that functions give ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Reductions.h"

namespace kern::compiler {

/// What `sum(a, axis=0)`, `a @ b`, `outer(a, b)`, `cross(a, b)` or `arange(n)`
/// gives. An element is computed where it is needed, from any elements of the
/// arguments; without dimensions there is one.
class ComputedArray {
public:
  /// Lowers the arguments; null after an error.
  static std::shared_ptr<ComputedArray> of(FunctionLowering &fn,
                                           const syntax::Expr &expr);

  llvm::ArrayRef<mlir::Value> extents() const { return shape; }
  /// Nothing after an error.
  std::optional<Number> at(FunctionLowering &fn,
                           llvm::ArrayRef<mlir::Value> indices) const;
  /// The arrays that are read.
  llvm::SmallVector<const ArrayView *> views() const;
  /// Whether an element is better read again than computed again.
  bool isCostly() const {
    return kind == Kind::Reduction || kind == Kind::Product;
  }

private:
  enum class Kind : uint8_t { Range, Reduction, Product, Outer, Cross };
  using Arguments = llvm::SmallVector<const syntax::Expr *, 2>;

  ComputedArray(Kind kind, Span span) : kind(kind), span(span) {}

  bool takeRange(FunctionLowering &fn, const syntax::Call &call);
  bool takeReduction(FunctionLowering &fn, llvm::StringRef name,
                     const syntax::Call &call);
  bool takeTwo(FunctionLowering &fn, llvm::StringRef name,
               const Arguments &arguments);
  std::optional<Number> multiplied(FunctionLowering &fn,
                                   llvm::ArrayRef<mlir::Value> left,
                                   llvm::ArrayRef<mlir::Value> right) const;
  std::optional<Number> summed(FunctionLowering &fn,
                               llvm::ArrayRef<mlir::Value> indices) const;
  std::optional<Number> crossed(FunctionLowering &fn, mlir::Value index) const;
  std::optional<Number> reduced(FunctionLowering &fn,
                                llvm::ArrayRef<mlir::Value> indices) const;

  Kind kind;
  Span span;
  llvm::SmallVector<ArrayExpression, 2> sources;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>, 2> sourceShapes;
  llvm::SmallVector<mlir::Value> shape;
  Sequence range;                                 ///< of a Range
  ir::ReduceKind reduction = ir::ReduceKind::Sum; ///< of a Reduction
  llvm::SmallVector<unsigned, 2> axes;            ///< of a Reduction, sorted
  bool keepsAxis = false;                         ///< with extent 1
};

} // namespace kern::compiler

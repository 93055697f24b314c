//===- Joins.h - where control flow meets --------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Binding.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/SmallVector.h"

namespace kern {

struct FunctionLowering;

/// A jump whose target block is not made yet.
struct Edge {
  mlir::Block *block;
  Environment env;
};

/// The paths through an expression, each of which ends with a value: those of
/// `a if c else b`, or the `return`s of an inlined function.
class ValueJoin {
public:
  explicit ValueJoin(FunctionLowering &fn) : fn(fn) {}

  /// The path at the builder's place, or at the end of `block`, ends with this
  /// value.
  void arrive(Binding value);
  void arrive(mlir::Block *block, Binding value);
  /// The path at the builder's place ends without one.
  void arriveEmpty();

  /// Continues where the paths meet. Gives their common value: poisoned if they
  /// have none, NoValue if no path arrived with one.
  Binding join(Span span);

  /// What arrived, in order.
  llvm::ArrayRef<Binding> arrived() const { return values; }

private:
  FunctionLowering &fn;
  llvm::SmallVector<mlir::Block *> blocks;
  llvm::SmallVector<Binding> values;
  bool isPartial = false; ///< a path arrived without a value
};

} // namespace kern

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

namespace kern::compiler {

struct FunctionLowering;

/// Whether two names mean the same: one value, or one part of one array.
bool isSame(const Binding &a, const Binding &b);

/// A jump whose target block does not exist yet.
struct Edge {
  mlir::Block *block;
  Environment env;
};

/// Joins paths that each end with a value: the branches of `a if c else b`, or
/// the `return`s of an inlined function.
class ValueJoin {
public:
  explicit ValueJoin(FunctionLowering &fn) : fn(fn) {}

  /// Ends the current path, or the one that `block` ends, with a value.
  void arrive(Binding value);
  void arrive(mlir::Block *block, Binding value);
  /// Ends the current path without a value.
  void arriveEmpty();

  /// Where some paths end with arrays, makes the numbers of others arrays.
  void fillNumbers(Span span);

  /// Continues where the paths meet, and gives the value there. It is poisoned
  /// if the paths disagree, and NoValue if none has a value.
  Binding join(Span span);

  /// The values of the paths, in order.
  llvm::ArrayRef<Binding> arrived() const { return values; }

private:
  FunctionLowering &fn;
  llvm::SmallVector<mlir::Block *> blocks;
  llvm::SmallVector<Binding> values;
  bool isPartial = false; ///< some path has no value
};

} // namespace kern::compiler

//===- IndependentLoops.h - loops in order that need none ----- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `for` over `range` runs in order, but the order cannot be seen where its
// iterations are independent. If that can be proven of all loops of a gufunc,
// each is lowered as if it were a prange, which GPUs can share between threads.
// A function with another loop, that has to run in order, stays as it is: a
// thread for each loop element does such loops best.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Tree.h"
#include "dialects/Kern/Kern.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace kern::compiler {

/// Loops over `range` that are lowered as pranges.
struct IndependentLoops {
  /// Loops of so few iterations are not worth a prange.
  static constexpr int64_t fewIterations = 64;

  struct Nest {
    const syntax::For *loop;
    unsigned depth; ///< the loops, one in the other, that one prange stands for
  };
  llvm::SmallVector<Nest> nests = {};

  /// Set by the lowering: the first nest that cannot be one.
  const syntax::For *refused = nullptr;
  /// Set by the lowering: whether one of them may have many iterations.
  bool haveMany = false;

  /// How many loops the prange of this one stands for; 0: it is in order.
  unsigned depthOf(const syntax::For &loop) const;
};

/// The loop that a body consists of, if that is over `range`; else null.
const syntax::For *soleLoopIn(const syntax::Block &body);

/// Lowers the function again with as many of its loops as possible as pranges.
/// Gives that, or `inOrder`, the function with none, and erases the other one.
/// `lower` gives null after an error. Only remarks are reported.
ir::FuncOp
inferIndependence(const syntax::Function &function, ir::FuncOp inOrder,
                  DiagnosticEngine &diagnostics,
                  llvm::function_ref<ir::FuncOp(IndependentLoops &)> lower);

} // namespace kern::compiler

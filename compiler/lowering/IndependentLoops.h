//===- IndependentLoops.h - loops in order that need none ----- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `for` over `range` runs in order, but the order cannot be seen where its
// iterations are independent. Loops at the top of a gufunc for which that can
// be proven are lowered as if they were pranges, which GPUs can share between
// threads. Beside them may be loops in order that only read, such as a sum: all
// threads run these. A function with a loop in order that writes to arrays
// stays as it is, since a thread for each loop element does such loops best. A
// loop that is all that a written prange consists of may join that.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Tree.h"
#include "dialects/Kern/Kern.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <string_view>

namespace kern::compiler {

/// Loops over `range` that are lowered as pranges.
struct IndependentLoops {
  /// Loops of so few iterations are not worth a prange.
  static constexpr int64_t fewIterations = 64;

  struct Nest {
    const syntax::For *loop;
    Span span;      ///< of the statement
    unsigned depth; ///< the loops, one in the other, that one prange stands for
    bool isPrange;  ///< the outermost one is written as such
    /// Set by the lowering: it may have many iterations.
    bool isLong = false;
  };
  llvm::SmallVector<Nest> nests = {};
  /// There are other loops, which run in order.
  bool areMixed = false;

  /// Set by the lowering: the first nest that cannot be one, and why, unless an
  /// error says that.
  const syntax::For *refused = nullptr;
  std::string_view reason = {};

  /// That of a loop; null: it is in order.
  Nest *nestOf(const syntax::For &loop);
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

//===- Guards.h - what holds where an operation stands --------- -*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/dependence/IndexForms.h"

namespace kern {

/// What conditions of `if`s and loops say of integers.
struct Facts {
  std::vector<IndexForm> nonNegative, zero, nonZero;
  /// Whether nothing else keeps an iteration from coming there.
  bool areAll = true;
};

/// The conditions under which a block of a prange's body, or of a loop in it,
/// is reached: those that lead to it alone.
Facts factsAt(mlir::Block *block, ParallelOp parallel, IndexForms &forms,
              mlir::DominanceInfo &dominance);

} // namespace kern

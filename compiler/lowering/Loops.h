//===- Loops.h - for, while and prange ------------------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Sequences.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern {

void lowerWhile(FunctionLowering &fn, const syntax::While &statement,
                Span span);
void lowerFor(FunctionLowering &fn, const syntax::For &statement, Span span);
/// `break` or `continue`.
void lowerJump(FunctionLowering &fn, bool isBreak, Span span);

//===--- Between Loops.cpp and Prange.cpp ---------------------------------===//
/// Lowers the body of a loop, of a prange with its operation, up to where the
/// paths that `continue` have met. Gives those that `break`.
std::vector<Edge> lowerIteration(FunctionLowering &fn, ParallelOp parallel,
                                 llvm::function_ref<void()> body, Span span);

/// A loop in blocks over a sequence of unit steps. `assigned` are the names
/// that `body`, which lowers an iteration, may assign. False if that is false:
/// after an error, with the loop left unfinished.
bool loopOver(FunctionLowering &fn, const Sequence &sequence,
              const std::set<std::string> &assigned,
              llvm::function_ref<bool(mlir::Value index)> body, Span span);

} // namespace kern

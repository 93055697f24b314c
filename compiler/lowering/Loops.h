//===- Loops.h - for, while and prange ------------------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/IndependentLoops.h"
#include "compiler/lowering/Sequences.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::compiler {

void lowerWhile(FunctionLowering &fn, const syntax::While &statement,
                Span span);
void lowerFor(FunctionLowering &fn, const syntax::For &statement, Span span);
/// `break` or `continue`.
void lowerJump(FunctionLowering &fn, bool isBreak, Span span);

//===--- Prange.cpp -------------------------------------------------------===//
void lowerPrange(FunctionLowering &fn, const syntax::For &statement,
                 const syntax::Call &call, Span span);
/// Lowers a `for` over `range`, and the loops that it consists of, as one
/// prange. An error if iterations are not independent.
void lowerIndependent(FunctionLowering &fn, IndependentLoops::Nest &nest);

//===--- Races.cpp --------------------------------------------------------===//
/// Lowers `a[i] += v`; atomically where iterations of a prange may share the
/// element.
void lowerElementUpdate(FunctionLowering &fn,
                        const syntax::AugmentedAssign &statement,
                        const syntax::Subscript &target, Span span);
/// Lowers `a[i] = min(a[i], v)` or `max` in a prange in the same way; false for
/// any other statement.
bool lowerExtremumUpdate(FunctionLowering &fn, const syntax::Assign &statement);
/// Reports elements that one iteration writes and another one accesses.
void checkRaces(FunctionLowering &fn, ir::ParallelOp parallel,
                Independence independence);

/// The source text at a place, shortened.
std::string textAt(const FunctionLowering &fn, Span span);

//===--- Between Loops.cpp and Prange.cpp ---------------------------------===//
/// Lowers the body of a loop up to the point where the paths that `continue`
/// meet. Gives the paths that `break`.
std::vector<Edge> lowerIteration(FunctionLowering &fn, LoopContext loop,
                                 llvm::function_ref<void()> body, Span span);

/// While it lives, what a loop runs over has a name that no program has: what
/// the body binds to other names does not take its place.
class RunOver {
public:
  RunOver(FunctionLowering &fn, std::vector<Binding> arrays);
  ~RunOver();
  RunOver(const RunOver &) = delete;
  RunOver &operator=(const RunOver &) = delete;

private:
  FunctionLowering &fn;
  std::optional<Binding> outer; ///< that of a loop around it
};

/// What is known of a loop.
struct LoopFacts {
  /// Whether there is a first iteration, so that the names that every iteration
  /// assigns have values after the loop.
  bool runs = false;
  /// The statements after the last iteration, unless it is left by `break`.
  const syntax::Block *otherwise = nullptr;
  Rebinding rebound = {};
  /// Of the statement that it is; null for a loop that only lowering makes.
  const syntax::Block *body = nullptr;
};

/// Lowers a loop over a sequence of unit steps to blocks. `body` lowers one
/// iteration and may assign the names in `assigned`. If it gives false, after
/// an error, so does this, and the loop is left unfinished.
bool loopOver(FunctionLowering &fn, const Sequence &sequence,
              const std::set<std::string> &assigned,
              llvm::function_ref<bool(mlir::Value index)> body, Span span,
              const LoopFacts &facts = {});

//===--- LoopHeader.cpp ---------------------------------------------------===//
/// Appends the numbers of a binding that is a number or a tuple of numbers;
/// false for any other.
bool flatten(const Binding &binding, llvm::SmallVectorImpl<Number> &scalars);
/// A binding of the same shape, with the next of these values.
Binding rebuild(const Binding &shape, llvm::ArrayRef<mlir::Value> &values);
/// Whether `value` is computed from `origin` by a scalar function. The result
/// of a test does not count as computed from its operands.
bool isComputedFrom(mlir::Value value, mlir::Value origin);

//===--- TupleLoops.cpp ---------------------------------------------------===//
/// Lowers a loop over a tuple, or over `zip`, `enumerate` and `reversed` of
/// tuples: once for each of its elements. False for any other loop.
bool lowerTupleLoop(FunctionLowering &fn, const syntax::For &statement,
                    Span span);
/// Lowers a short loop over a constant `range` whose counter is an index of a
/// tuple or a table, in the same way. False for any other loop.
bool lowerTableLoop(FunctionLowering &fn, const syntax::For &statement,
                    const Sequence &sequence, Span span);

//===--- Loops.cpp --------------------------------------------------------===//
/// Continues where a loop ends: on the path without further iterations, after
/// its `else`, and on the paths that `break`.
void joinLoopEnds(FunctionLowering &fn, std::vector<Edge> last,
                  std::vector<Edge> breaks, const syntax::Block *otherwise,
                  Span span);

} // namespace kern::compiler

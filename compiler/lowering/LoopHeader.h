//===- LoopHeader.h - what a loop carries round -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/LoopArrays.h"

#include <set>

namespace kern::compiler {

/// A name that the body of a loop assigns. A tuple may have arrays and
/// functions beside numbers, which stay the same in all iterations.
struct CarriedName {
  std::string name;
  Binding before; ///< its value when the loop begins
  std::vector<ir::AccumulatorOp> numbers;
  /// Those that it may mean, if it is an array that the loop binds again.
  std::vector<mlir::Value> arrays = {};
};

/// The header block of a loop, with an argument for each number that the body
/// may assign.
struct LoopHeader {
  mlir::Block *block;
  std::vector<CarriedName> carried;
  mlir::Value counter;
  LoopArrays arrays;
  std::vector<const syntax::Assign *> renaming;
};

/// Jumps to a new header. Its first argument is `counter`, unless that is null.
LoopHeader openLoop(FunctionLowering &fn, const std::set<std::string> &assigned,
                    const Rebinding &rebound, mlir::Value counter, Span span);
/// Jumps back to the header, if the insertion point is reachable, with all
/// arrays in their places. Reports names that mean another kind of thing, or
/// another array, than in the first iteration.
void closeLoop(FunctionLowering &fn, LoopHeader &header, mlir::Value counter,
               Span span);

} // namespace kern::compiler

//===- Divisor.h - division by a launch's constants -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel divides by extents that are constant in a launch. The host computes
// a multiplier and a shift for each (runtime/plan/Words.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// A divisor from 1 to 2^31 - 1. All values are i32.
struct Divisor {
  mlir::Value number, multiplier, shift;
};

/// Reads a divisor from two words of a kernel's arguments: the number itself,
/// and the multiplier and shift in the low and high half of one word.
Divisor readDivisor(KernelBuilder &b, mlir::Value number, mlir::Value word);

/// `dividend / divisor` for an i32 below 2^31.
mlir::Value quotient(KernelBuilder &b, mlir::Value dividend,
                     const Divisor &divisor);

} // namespace kern::ir::loop

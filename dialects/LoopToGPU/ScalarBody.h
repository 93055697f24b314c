//===- ScalarBody.h - a body for an array and scalars -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If all inputs but the first are scalars, a thread divides several elements by
// one divisor d. Let y = 1/d, correctly rounded and computed once. Then
//
//   q = x y,  r = x - d q (fused, exact),  x / d = q + r y (fused)
//
// is the correctly rounded quotient, as long as all values are normal numbers
// (Markstein, "Computation of elementary functions on the IBM RISC System/6000
// processor", 1990; Brisebarre, Muller and Raina, "Accelerating correctly
// rounded floating-point division when the divisor is known in advance", 2004).
// An f64 division thus takes three operations and a test of x, instead of
// twelve and a call for rare operands. Divisions of f32 are fast enough to hide
// behind memory accesses.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// A body for calls where all arguments but the first are the same for all
/// elements.
struct ScalarBody {
  mlir::LLVM::LLVMFuncOp function;
  /// An i1 follows its results. If it is false, the results are not valid, and
  /// the original body must be called instead.
  bool isGuarded = false;
};

/// Makes a copy of `body`, named `<kernel>__scalars__body`, after it. Its f64
/// divisions by a uniform divisor are computed as described above.
ScalarBody makeScalarBody(KernelBuilder &b, mlir::LLVM::LLVMFuncOp body);

} // namespace kern::ir::loop

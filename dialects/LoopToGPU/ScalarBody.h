//===- ScalarBody.h - a body for an array and scalars -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all inputs but the first are scalars, a thread divides several elements
// by one divisor d. With y = 1/d, rounded correctly and computed once,
//
//   q = x y,  r = x - d q (fused, exact),  x / d = q + r y (fused)
//
// is the correctly rounded quotient, as long as nothing leaves the range of
// normal numbers (Markstein, "Computation of elementary functions on the IBM
// RISC System/6000 processor", 1990; Brisebarre, Muller and Raina,
// "Accelerating correctly rounded floating-point division when the divisor is
// known in advance", 2004). So a division of f64 takes three operations and a
// test of x, where it takes twelve and a call for rare operands. Divisions of
// f32 are fast enough to be hidden behind memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::loop {

/// A body in which all arguments but the first are the same for all elements.
struct ScalarBody {
  mlir::LLVM::LLVMFuncOp function;
  /// Its results are followed by an i1. Where that is false the others are not
  /// valid and `body` must be called instead.
  bool isGuarded = false;
};

/// A copy of `body` named `<kernel>__scalars__body`, behind it, whose divisions
/// of f64 by what is the same for all elements are made as above.
ScalarBody makeScalarBody(KernelBuilder &b, mlir::LLVM::LLVMFuncOp body);

} // namespace kern::loop

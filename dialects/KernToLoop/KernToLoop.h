//===- KernToLoop.h - from typed kern to loop -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "dialects/Loop/Loop.h"

#include "mlir/IR/BuiltinOps.h"

namespace kern::ir {

/// The halves of which a target has an fma that rounds once.
struct FmaOfHalves {
  bool f16 = false;
  bool bf16 = false;
};

/// Makes a loop.kernel of the same name from a typed kern.func, at `builder`'s
/// insertion point. Declares the library functions that it calls in the module
/// (`@kern.exp.f32`, a private func.func without a body). `typed` does not
/// change. Integers become signless, and the operations keep their signs. Fails
/// if a function has no implementation for its types, or if the input is not
/// fully typed. It then reports an error at the operation and leaves no kernel
/// behind.
mlir::FailureOr<loop::KernelOp>
lowerToLoop(FuncOp typed, mlir::OpBuilder &builder, FmaOfHalves fma = {});

/// Lets sums of products be contracted: such a product gets the flag
/// `contract`, and one of two halves is not rounded, as if it were a part of
/// the addition.
void contractSums(loop::KernelOp kernel);

/// Replaces remainders of indices that are a few steps outside of a loop's
/// range at most, as in `(i + 1) % n` with `i` from `range(n)`, by comparisons.
void wrapIndices(loop::KernelOp kernel);

/// The pass kern-to-loop: replaces every typed kern.func of a module by its
/// loop.kernel. Polymorphic functions do not change. With `isPrecise`,
/// `@fastmath` is ignored, and nothing is contracted. Reports an error for each
/// function that fails, and then fails.
mlir::LogicalResult lowerToLoop(mlir::ModuleOp module, bool isPrecise,
                                FmaOfHalves fma = {});

} // namespace kern::ir

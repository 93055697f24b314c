//===- Contractions.h - the products that a GPU adds at once ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code generator would choose anew for each mapping which product joins which
// sum: it does not see one that was moved out of a loop, and of two it prefers
// the one that is used less. Here the choice is made before a kernel is mapped,
// and carried out when it has been lowered.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/BuiltinOps.h"

namespace kern::ir::loop {

/// Makes products that are equal one, and with them all that is computed twice.
/// A product that is written twice has two uses then: x * y - x * y is 0, not
/// what x * y loses by rounding. Kernels without such products, of which the
/// number of operations decides a form, stay as they are. The pass
/// loop-merge-products does this for each kernel of a module, for every target,
/// before products are chosen; precise mode leaves it out.
void mergeEqualProducts(KernelOp kernel);

/// Chooses, in a kernel for a GPU, which products are added at once, before the
/// kernel is mapped: those that nothing but one sum or difference needs, the
/// left one if both terms are such. The product and the sum get the flag
/// `contract`, and so do the products of complex numbers that a reduction adds.
/// Of a reduction's own sums KernToLoop has chosen. Halves are contracted as
/// f32 and f64 are. Operations that may be regrouped stay as they are. The pass
/// loop-choose-contractions does this for each kernel of a module; precise mode
/// leaves it out.
void chooseContractions(KernelOp kernel);

/// Whether a sum may take an operation's operands in its place, or those of the
/// product that the operation is the negative of. A value of such an operation
/// that is kept for later does not join a sum.
bool mayJoinSum(mlir::Operation *op);

/// Makes the chosen products and sums of a lowered module one operation, and
/// takes the flag `contract` from all others, so that each rounds as it is
/// written. The last step of loop-to-gpu. Those of bf16 need an fma of it.
void contractChosen(mlir::ModuleOp module, bool hasFmaOfBF16);

} // namespace kern::ir::loop

//===- ContractProducts.h - products that are added at once -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   y[:] = (a @ w) * s + b * c
//
// The sum of two products may be contracted to `fma(a @ w, s, b * c)` or to
// `fma(b, c, (a @ w) * s)`, which differ in their last bits. LLVM's code
// generator chooses anew in each form of a loop: in its vectors, in what is
// left of them, and for other strides. Equal elements would have unequal
// results.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Makes `a * b + c` and its like of f32 and f64 one operation, of the left
/// product if both terms are products, in a kernel of a gufunc for a CPU. In a
/// loop in order a product that does not wait for what the loop carries stays
/// apart from a term that does. Equal products are merged before.
/// Operations that may be regrouped stay as they are, and nothing is contracted
/// in precise mode, where the compiler leaves this pass out. A product that
/// `loop.accumulate` adds gets the flag `contract`, as KernToLoop gives it to
/// one that a reduction adds. LLVM then contracts what has the flag, and
/// nothing else (productsChosenAttribute). The pass loop-contract-products does
/// this for each kernel of a module.
void contractProducts(KernelOp kernel);

} // namespace kern::ir::loop

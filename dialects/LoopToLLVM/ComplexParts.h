//===- ComplexParts.h - parts of complex numbers ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// Lowers an operation on the parts of complex numbers, and erases it; false
/// for any other. Its operands are vectors already: block arguments are lowered
/// first, then operations in order.
bool lowerComplexParts(KernelBuilder &b, mlir::Operation &op);

} // namespace kern::ir::loop

//===- Selects.h - choices in place of branches -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Turns the branches of a flat kernel into choices between values, if that can
/// be done with all of them: their arms are a few operations of arithmetic on
/// what is loaded before them anyway, and store to the same places or not at
/// all. The kernel of `y[i] = x[i] if x[i] > 0 else 0` is elementwise then.
void branchesToSelects(KernelOp kernel);

} // namespace kern::ir::loop

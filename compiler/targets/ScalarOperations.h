//===- ScalarOperations.h - scalar code in the LLVM dialect -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace kern {

/// Replaces each operation of arith, math and cf by the one of the LLVM dialect
/// that means the same, where there is one. Returns whether that is all of
/// them: whether no operation of another dialect is left in the module.
bool replaceScalarOperations(mlir::ModuleOp module);

} // namespace kern

//===- KernToLoop.h - typed kern to loop ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "dialects/Loop/Loop.h"

#include "mlir/IR/BuiltinOps.h"

namespace kern {

/// Makes a loop.kernel of the same name from a typed kern.func, at `builder`'s
/// insertion point, and declares in the module around it the library functions
/// that it calls (`@kern.exp.f32`, private func.func without a body). `typed`
/// stays as it is. Integers become signless; what sign they had is in the
/// operations chosen. Fails, after an error at the operation, where a function
/// has no implementation for its types, or where the input is not fully typed;
/// then no kernel is left behind.
mlir::FailureOr<loop::KernelOp> lowerToLoop(FuncOp typed,
                                            mlir::OpBuilder &builder);

/// The pass kern-to-loop: replaces every typed kern.func of a module by its
/// loop.kernel; polymorphic functions are left alone. With `isPrecise`,
/// `@fastmath` is ignored. Fails after an error for each function that fails.
mlir::LogicalResult lowerToLoop(mlir::ModuleOp module, bool isPrecise);

} // namespace kern

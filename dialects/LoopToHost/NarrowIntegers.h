//===- NarrowIntegers.h - integers with fewer bits --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::ir::loop {

/// Gives integers of a body fewer bits, down to those of the widest other value
/// that counts, where all that is computed with them stays the same. So a
/// vector has more lanes. `counts` tells which values become vectors. Returns
/// whether it changed any.
bool narrowIntegers(mlir::LLVM::LLVMFuncOp body,
                    llvm::function_ref<bool(mlir::Value)> counts);

} // namespace kern::ir::loop

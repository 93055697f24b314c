//===- TruthBlocks.h - any and all that end early ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM makes no vectors of a loop that ends with the first element that decides
// it. So `any` and `all` go by blocks of iterations, each in vectors, and end
// with the first block that decides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/BestBlock.h"

namespace kern::ir::loop {

/// Whether a reduction is `any` or `all` along a core dimension, and may leave
/// iterations out.
bool endsEarly(ReduceOp op, LoopStyle style, mlir::Value trips);

/// What is left after the last whole block: no iterations if the value is
/// decided.
struct TruthSoFar {
  Iterations rest;
  mlir::Value value;
};

/// Emits a loop over whole blocks of the `trips` iterations, and continues
/// behind it. `newBlock` as bestBlock() has it.
TruthSoFar truthOfBlocks(mlir::ImplicitLocOpBuilder &b, ReduceOp op,
                         mlir::Value trips,
                         llvm::function_ref<mlir::Block *(unsigned)> newBlock);

} // namespace kern::ir::loop

//===- Shuffle.h - values of the lanes of a warp ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/Reduction.h"

namespace kern::ir::loop {

/// The value of another lane, of any type that a reduction has. `exchanged`
/// gives each word (i32 or f32) of it.
mlir::Value shuffle(KernelBuilder &b, mlir::Value value,
                    llvm::function_ref<mlir::Value(mlir::Value)> exchanged);

/// The value of another lane (i32) of the warp, of any type. The lanes whose
/// bits are set in `members` (i32) take part.
mlir::Value laneOfWarp(KernelBuilder &b, mlir::Value value, mlir::Value lane,
                       mlir::Value members);
/// Likewise, of the lane that an operation asks for.
mlir::Value laneOfWarp(KernelBuilder &b, EarlierLaneOp op, mlir::Value members);

/// Combines the values of `width` (i32, a power of two) neighbouring lanes by a
/// butterfly, which halves the distance from step to step. All of them get the
/// result. The lanes of the warp that are set in `members` (i32) take part.
Accumulator combineLanes(KernelBuilder &b, ReduceKind kind, Accumulator mine,
                         mlir::Value width, mlir::Value members);

} // namespace kern::ir::loop

//===- Threads.h - registers and synchronisation of threads -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These use LLVM's intrinsics. MLIR's nvvm dialect has an operation for each,
// but loading it takes a fifth of a context's set-up time for the seven that
// are used here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// The special registers of a thread.
enum class Register {
  ThreadX, ///< in its block
  ThreadY,
  BlockX, ///< in the grid
  BlockSizeX,
  BlockSizeY,
  GridSizeX, ///< blocks
  Lane,      ///< in its warp
};

/// Reads a register, as an i32.
mlir::Value readRegister(KernelBuilder &b, Register which);

/// Waits for all threads of the block.
void waitForBlock(KernelBuilder &b);
/// Waits for the lanes of the warp whose bits are set in `members` (i32).
void waitForWarp(KernelBuilder &b, mlir::Value members);

/// A butterfly shuffle: the `word` (i32 or f32) of the lane whose number is
/// this lane's xor `distance`, among the lanes `members`.
mlir::Value exchange(KernelBuilder &b, mlir::Value word, mlir::Value distance,
                     mlir::Value members);

/// Keeps the registers of an entry point so few that a multiprocessor holds two
/// of its blocks.
void keepTwoBlocks(mlir::LLVM::LLVMFuncOp function);

/// Makes a function an entry point for blocks of at most `block` threads. If it
/// `waits` itself for the kernel before it, it gets the attribute "kern-waits".
void makeKernel(mlir::LLVM::LLVMFuncOp function, unsigned block, bool waits);

} // namespace kern::ir::loop

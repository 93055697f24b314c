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

/// Which of a block's loop elements a thread (i32) of a spread kernel works on.
/// Of the number of threads: how many there are.
mlir::Value spreadPlace(KernelBuilder &b, mlir::Value thread);

/// Waits for all threads of the block.
void waitForBlock(KernelBuilder &b);
/// Waits for the lanes of the warp whose bits are set in `members` (i32).
void waitForWarp(KernelBuilder &b, mlir::Value members);

/// Sleeps for about this many nanoseconds.
void pause(KernelBuilder &b, unsigned nanoseconds);

/// A butterfly shuffle: the `word` (i32 or f32) of the lane whose number is
/// this lane's xor `distance`, among the lanes `members`.
mlir::Value exchange(KernelBuilder &b, mlir::Value word, mlir::Value distance,
                     mlir::Value members);

/// The `word` (i32) of another lane (i32) of the warp. The lanes take part
/// whose bits are set in `members` (i32), or all.
mlir::Value ofLane(KernelBuilder &b, mlir::Value word, mlir::Value lane,
                   mlir::Value members = nullptr);

/// The `word` (i32) of the lane so many before this one; this lane's own if
/// there is none.
mlir::Value earlierLane(KernelBuilder &b, mlir::Value word, unsigned distance,
                        mlir::Value members);

/// Whether a condition holds in all lanes of the warp, which all take part.
mlir::Value inAllLanes(KernelBuilder &b, mlir::Value condition);
/// The lanes (i32) of the warp that run this operation together.
mlir::Value activeLanes(KernelBuilder &b);

/// Starts an asynchronous copy of `bytes` (4, 8 or 16) from global to shared
/// memory (sm_80 and later).
void copyAsync(KernelBuilder &b, mlir::Value to, mlir::Value from,
               unsigned bytes);
/// Waits for this thread's copies; with `ahead`, but for those since the
/// `ahead`-th last such call.
void waitForCopies(KernelBuilder &b, std::optional<int64_t> ahead);

/// The same value, of which LLVM knows nothing.
mlir::Value keep(KernelBuilder &b, mlir::Value value);

/// How large blocks may be, and how many of that size must fit on one
/// multiprocessor: together they limit the registers of a thread.
struct BlockLimit {
  unsigned threads;
  unsigned perMultiprocessor = 1;
  /// Of a thread, fewer than the others allow; 0: as many as those do.
  unsigned registers = 0;
};

/// Makes a function an entry point for blocks within `limit`. If it `waits`
/// itself for the kernel before it, it gets the attribute "kern-waits".
void makeKernel(mlir::LLVM::LLVMFuncOp function, BlockLimit limit, bool waits);

} // namespace kern::ir::loop

//===- SharedSlots.h - a value of each thread in shared memory --*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/Reduction.h"

namespace kern::ir::loop {

/// Shared memory with room for an accumulator of each thread of a block.
class SharedSlots {
public:
  /// `like` says what an accumulator consists of. Slots with an `owner`, a
  /// number, are its alone; others of as many threads share memory.
  SharedSlots(KernelBuilder &b, Accumulator like,
              unsigned threads = largestGroup,
              std::optional<unsigned> owner = std::nullopt);
  /// `thread` is an i64 below the number of threads.
  void store(KernelBuilder &b, mlir::Value thread, Accumulator mine);
  Accumulator load(KernelBuilder &b, mlir::Value thread);

private:
  mlir::Type type; ///< of the value
  bool hasIndex;
  mlir::Value values, indices; ///< pointers
};

/// The bytes of a value, which is a number or a vector of two parts.
unsigned valueBytes(mlir::Type type);

/// The address of a block's shared memory of that name, made if the module does
/// not have it yet.
mlir::Value sharedMemoryOf(KernelBuilder &b, llvm::StringRef symbol,
                           unsigned bytes);

/// The values of an accumulator, as block arguments carry them, and the
/// inverse.
llvm::SmallVector<mlir::Value> valuesOf(Accumulator accumulator);
Accumulator accumulatorOf(mlir::ValueRange values);

} // namespace kern::ir::loop

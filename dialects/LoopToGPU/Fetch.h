//===- Fetch.h - copies into shared memory ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// Copies the elements of a loop.fetch from global to shared memory. The copy
/// is asynchronous if the GPU `isAsynchronous` (sm_80 and later). May split the
/// operation's block.
void fetchElements(KernelBuilder &b, FetchOp op, mlir::Value source,
                   mlir::Value target, bool isAsynchronous);

/// Copies the first `count` (i32) elements of `size` bytes to 16 bytes of
/// shared memory, and zeros to the rest of these; nothing if `count` is
/// negative. From sm_80 on.
void fetchFirst(KernelBuilder &b, mlir::Value count, unsigned size,
                mlir::Value source, mlir::Value target);

/// Waits for this thread's asynchronous copies.
void awaitFetches(KernelBuilder &b, AwaitOp op);

} // namespace kern::ir::loop

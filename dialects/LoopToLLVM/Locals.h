//===- Locals.h - placement of local arrays ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// The facts that decide where a local array is placed.
struct LocalFacts {
  /// Its size in bytes, if its extents are constants.
  std::optional<uint64_t> bytes;
  bool isInLoop = false; ///< made by each iteration of a loop
  /// Written in a loop that is distributed over the lanes. Each lane must see
  /// the elements that the others write.
  bool isSharedWritten = false;
  /// The forms of a ufunc get no memory from the runtime.
  bool isOfUfunc = false;
};

enum class LocalPlace : uint8_t {
  Private, ///< each lane's own memory
  Element, ///< from the runtime, for each loop element
  Lane,    ///< from the runtime, for each lane
};

/// Chooses the place. A pure function.
LocalPlace placeOf(const LocalFacts &facts);

/// Gives a slot to each local array that needs memory from the runtime, and
/// expands the zeroing of those arrays. With `sequential` there is one lane.
void placeLocals(KernelOp kernel, bool sequential);

/// Zeroes the array in a loop behind it, which lanes can share.
ParallelOp expandZeroing(LocalOp local);

/// The size in bytes of an array with constant extents; nothing for others.
std::optional<uint64_t> constantBytes(LocalOp local);

/// The bytes from one thread's part to the next one's, of an array in shared
/// memory that has `bytes` for each thread: an odd number of accesses, so that
/// the threads of a warp use different banks.
mlir::Value threadPitch(KernelBuilder &b, LocalOp local, mlir::Value bytes);

} // namespace kern::ir::loop

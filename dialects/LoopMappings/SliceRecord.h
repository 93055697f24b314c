//===- SliceRecord.h - what slices leave for one another --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// A value of each slice of a loop element, in memory from the runtime.
///
/// Slices of later launches read plain values. Slices that run at the same time
/// read words of 64 bits, each with 32 bits of a value and a mark. A word with
/// the mark is complete, so a reader waits for nothing else. Only the runtime
/// clears words, once.
class SliceRecord {
public:
  /// A record for values of `type` in `places` places. Its memory is the
  /// kernel's slot `slot`.
  SliceRecord(mlir::ImplicitLocOpBuilder &builder, KernelOp kernel,
              mlir::Type type, mlir::Value places, int64_t slot, bool isMarked);

  void write(mlir::Value value, mlir::Value place);
  /// If the words are marked, waits until they are complete.
  mlir::Value read(mlir::Value place);

private:
  mlir::Value wordAt(mlir::Value place, unsigned word);

  mlir::ImplicitLocOpBuilder &b;
  mlir::Type type;
  bool isMarked;
  unsigned words = 1; ///< of a value, if they are marked
  mlir::Value array;
};

} // namespace kern::ir::loop

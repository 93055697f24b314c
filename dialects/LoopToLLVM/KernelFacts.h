//===- KernelFacts.h - a kernel seen from its entry points ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/Entry.h"

namespace kern::loop {

struct OperandFacts {
  mlir::Type element;
  unsigned rank; ///< number of core dimensions
};

/// What entry points need to know of a kernel, taken before its body is moved.
struct KernelFacts {
  explicit KernelFacts(KernelOp kernel);

  std::string symbol;
  llvm::SmallVector<OperandFacts> inputs;
  llvm::SmallVector<OperandFacts> outputs;
  unsigned dims;
  /// Of each slot of its local arrays, whether it is one for each lane.
  llvm::SmallVector<bool> slots;
  bool hasScalarWork;     ///< ScalarWork.h
  bool isTiny;            ///< ScalarWork.h
  bool isMasked;          ///< maskedAttribute
  int64_t operations = 1; ///< for one loop element; filled in for the host
  Entry entry;            ///< with kernel, extents, chunks and checks filled in
  bool hasChecks() const { return !entry.checks.empty(); }
};

} // namespace kern::loop

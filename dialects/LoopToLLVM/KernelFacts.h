//===- KernelFacts.h - a kernel seen from its entry points ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/Entry.h"

namespace kern::ir::loop {

struct OperandFacts {
  mlir::Type element;
  unsigned rank; ///< number of core dimensions
};

/// The facts of a kernel that its entry points need. One record, since they
/// are collected together, before its body is moved.
struct KernelFacts {
  explicit KernelFacts(KernelOp kernel);

  std::string symbol;
  llvm::SmallVector<OperandFacts> inputs;
  llvm::SmallVector<OperandFacts> outputs;
  unsigned dims;
  unsigned tileResults = 0; ///< of a thread, in a tiled kernel
  unsigned flatCount = 0;   ///< ranges whose iterations are loop elements
  /// For each slot of local arrays, whether every lane has its own.
  llvm::SmallVector<bool> slots;
  bool hasScalarWork;     ///< ScalarWork.h
  bool isTiny;            ///< ScalarWork.h
  bool isMasked;          ///< maskedAttribute
  int64_t operations = 1; ///< per loop element; filled in for the host
  Entry entry;            ///< the kernel's part of it is filled in
  bool hasChecks() const { return !entry.checks.empty(); }
};

} // namespace kern::ir::loop
